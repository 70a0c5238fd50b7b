import EventLoops
import Files
import Glibc
import Terminal

/// Where a request's JSON comes from.
enum RequestSource: Sendable, Equatable {
    case text(String)
    case file(String)
    case standardInput

    /// What a frame can carry, in bytes, and more would be refused anyway.
    private static let limitBytes = 16 << 20

    /// "-" is standard input, "@FILE" a file, all else the JSON itself.
    init(_ argument: String) {
        if argument == "-" {
            self = .standardInput
        } else if argument.hasPrefix("@") {
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
            let file = try File(reading: path)
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
            guard bytes.count <= limitBytes else {
                throw CommandFailure(
                    "\(name) is longer than the \(Quantity.bytes(UInt64(limitBytes))) that a request may have")
            }
        }
    }
}
