import Budgets
import Bytes
import Compression
import HTTP
import ProtoSchema
import RPC
import Refusals
import WireJSON

/// A unary call as received over HTTP, its message still in the caller's encoding.
struct ConnectRequest: Sendable {
    let codec: ConnectCodec
    /// The message as received, possibly as JSON or compressed.
    private let bytes: [UInt8]
    private let isBase64: Bool
    private let compression: String?

    /// The most bytes that a compressed message may unpack to, and one of a client that has not proved who it is.
    static let unpackedLimit = 6 << 20
    static let strangersUnpackedLimit = HTTPLimits().strangersBodyBytes

    /// Whether decoding it may take long.
    var isLarge: Bool { bytes.count >= LargeMessages.threshold || compression == "gzip" && !bytes.isEmpty }

    /// The message, packed.
    func packed(as name: String, _ memory: RequestMemory) throws(RPCError) -> [UInt8] {
        let packed = try codec.pack(message(memory), as: name)
        guard memory.hold(message: packed.count) else { throw .noMemory }
        return packed
    }

    private func message(_ memory: RequestMemory) throws(RPCError) -> [UInt8] {
        guard isBase64 else { return try Self.body(bytes, compression: compression, memory) }
        guard let decoded = Base64.decode(bytes.span) else {
            throw .invalid("message", "it is not base64, as base64=1 requires")
        }
        return try Self.body(decoded, compression: compression, memory)
    }

    /// The message of a POST.
    static func posted(_ request: HTTPRequest, _ codec: ConnectCodec) throws(RPCError) -> ConnectRequest {
        try checkVersion(request.headers["connect-protocol-version"])
        return ConnectRequest(
            codec: codec, bytes: request.body, isBase64: false, compression: request.headers["content-encoding"])
    }

    /// The message in the query of a GET.
    static func asked(_ request: HTTPRequest) throws(RPCError) -> ConnectRequest {
        if let version = request.query["connect"] {
            try checkVersion(String(version.after("v") ?? ""))
        }
        guard let codec = ConnectCodec(rawValue: request.query["encoding"] ?? "json") else {
            throw Refusal("encoding", text: request.query["encoding"] ?? "", allowed: "json and proto are").rpcError
        }
        return ConnectRequest(
            codec: codec, bytes: Array((request.query["message"] ?? "").utf8), isBase64: request.query["base64"] == "1",
            compression: request.query["compression"])
    }

    /// A body or a message that may be compressed.
    static func body(
        _ bytes: [UInt8], compression: String?, _ memory: RequestMemory
    ) throws(RPCError) -> [UInt8] {
        switch compression {
        case nil, "", "identity": return bytes
        case "gzip":
            // An empty body is empty, compressed or not.
            if bytes.isEmpty { return bytes }
            let limit = memory.standing == .stranger ? strangersUnpackedLimit : unpackedLimit
            switch Gzip.unpack(bytes, limit: limit) {
            case .bytes(let unpacked): return unpacked
            case .damaged: throw RPCError(.invalidArgument, "the message is not gzip, as its encoding states")
            case .tooLong:
                throw RPCError(.resourceExhausted, "the message unpacks to more than \(limit) bytes")
            }
        case let other?:
            throw RPCError(.unimplemented, "the compression \(other.prefix(40)) is not known; gzip and identity are")
        }
    }

    /// Refuses another version of the protocol than the one there is; nil when the caller does not say which.
    static func checkVersion(_ version: String?) throws(RPCError) {
        guard let version, version != "1" else { return }
        throw Refusal("connect-protocol-version", text: version, allowed: "1 is").rpcError
    }
}
