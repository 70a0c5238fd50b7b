import Arguments
import Bytes
import EventLoops
import Files
import Glibc
import ProtoSchema
import Terminal
import Wire
import WireJSON

/// Where a request's JSON comes from.
enum RequestInput: Sendable, Equatable {
    case text(String)
    case file(String)
    case standardInput

    /// What a frame can carry, in bytes, and more would be refused anyway.
    private static let maximumBytes = 16 << 20

    /// "-" is standard input, "@FILE" a file, all else the JSON itself.
    init(_ argument: String) {
        if argument == "-" {
            self = .standardInput
        } else if argument.begins(with: "@") {
            self = .file(String(argument.dropFirst()))
        } else {
            self = .text(argument)
        }
    }

    /// All of it. Blocks.
    func read() throws -> [UInt8] {
        switch self {
        case .text(let text): return Array(text.utf8)
        case .standardInput: return try Self.read(from: STDIN_FILENO, name: "standard input")
        case .file(let path):
            let file = try OpenFile(reading: path)
            return try Self.read(from: file.descriptor, name: path)
        }
    }

    private static func read(from descriptor: Int32, name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try syscall("read", name) { unsafe Glibc.read(descriptor, &chunk, chunk.count) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else {
                throw CommandFailure(
                    "\(name) is longer than the \(Quantity.bytes(UInt64(maximumBytes))) that a request may have")
            }
        }
    }
}

extension KnownMethod {
    /// A request in JSON, packed.
    func pack(_ json: [UInt8]) throws -> [UInt8] {
        do {
            return try Schemas.wireJSON.pack(json: json, as: schema.input)
        } catch {
            throw UsageError("the request is no \(schema.input): \(error)")
        }
    }

    /// One request a line; blank lines are passed over.
    func packLines(_ json: [UInt8]) throws -> [[UInt8]] {
        let lines = json.split { $0 == UInt8(ascii: "\n") }
        return try lines.filter { line in line.contains { $0 > UInt8(ascii: " ") } }.map { try pack(Array($0)) }
    }
}

/// Messages as JSON (the canonical mapping of proto3), by the descriptors built in.
enum Schemas {
    static let wireJSON = WireJSON()

    /// The JSON of a message, on one line, its members by name.
    static func json<Message: WireMessage>(_ message: Message) throws(WireJSONError) -> String {
        try json(packed: message.packedBytes(), of: Message.protoName)
    }

    /// The JSON of packed bytes.
    static func json(packed: [UInt8], of name: String, pretty: Bool = false) throws(WireJSONError) -> String {
        let bytes = try wireJSON.json(packed: packed, of: name, options: pretty ? [.pretty, .sorted] : .sorted)
        return String(decoding: bytes, as: UTF8.self).jsonForTerminals
    }
}
