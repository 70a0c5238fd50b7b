import Bytes
import ProtoSchema
import RPC
import Synchronization
import WireJSON

/// One watch of an event stream: a method that sends updates from a version on, and its request.
///
/// It is recognised by its messages: a request with `uint64 from_version = 15`, answers with `uint64 version = 15`.
struct WatchedMethod: Sendable {
    /// The number of both fields.
    static let markNumber = 15

    let method: ConnectHandler.Method
    /// The packed request, without a version.
    let request: [UInt8]

    /// Parses "package.Service/Method", followed by a colon and the request as JSON, if there is one.
    init(_ text: String, index: Int, _ connect: ConnectHandler, _ schema: Schema) throws(RPCError) {
        let parts = text.split(at: ":", maxSplits: 1)
        let field = "watch[\(index)]"
        let path = parts.first.map(String.init) ?? ""
        guard let method = connect.method(at: "/\(path)") else {
            throw .invalid(field, "there is no method \(path.prefix(200))")
        }
        guard Self.isWatch(method, schema) else {
            throw .invalid(field, "\(path) can't be watched; a server stream that takes from_version is needed")
        }
        self.method = method
        request = try ConnectCodec.json.pack(Array((parts.count == 2 ? parts[1] : "{}").utf8), as: method.input)
    }

    private static func isWatch(_ method: ConnectHandler.Method, _ schema: Schema) -> Bool {
        method.descriptor.kind == .serverStreaming && has("from_version", method.input, schema)
            && has("version", method.output, schema)
    }

    private static func has(_ name: String, _ message: String, _ schema: Schema) -> Bool {
        schema.messages[message]?.fields.contains {
            $0.name == name && $0.number == markNumber && $0.type == .uint64 && !$0.isRepeated
        } ?? false
    }
}

/// The version up to which each watch of a stream has been sent.
final class EventProgress: Sendable {
    private let versions: Mutex<[UInt64]>

    /// - Parameter lastEventID: the id of an event of an earlier stream with the same watches; else it starts over.
    init(_ lastEventID: String, count: Int) {
        let parts =
            lastEventID.utf8.count > 1000 ? [] : lastEventID.split(at: ".", omittingEmptySubsequences: false)
        let numbers = parts.map { UInt64($0) }
        let known = numbers.compactMap(\.self)
        versions = Mutex(known.count == count && numbers.count == count ? known : [UInt64](repeating: 0, count: count))
    }

    subscript(watch: Int) -> UInt64 { versions.withLock { $0[watch] } }

    /// The id of an event that brings one watch up to `version`. The others count as far as they have been written: an
    /// event that is still being written is sent again rather than lost.
    func id(_ watch: Int, at version: UInt64) -> String {
        versions.withLock { versions in
            versions.indices.map { "\($0 == watch ? version : versions[$0])" }.joined(separator: ".")
        }
    }

    /// The event was written.
    func sent(_ watch: Int, _ version: UInt64) { versions.withLock { $0[watch] = version } }
}
