import Bytes
import ProtoSchema
import RPC
import Wire
import WireJSON

/// The encoding of a call's messages: JSON or protobuf (https://connectrpc.com/docs/protocol).
enum ConnectCodec: String, Sendable {
    case json
    case proto

    /// The codec of a content type: "application/json; charset=utf-8" is JSON.
    init?(_ contentType: String?, isStream: Bool) {
        guard let contentType else { return nil }
        // The way nearly all clients write it.
        if let codec = Self(exactly: contentType, isStream) {
            self = codec
            return
        }
        guard let type = contentType.split(at: ";").first?.lowercased() else { return nil }
        self.init(exactly: type.split(at: " ").joined(), isStream)
    }

    private init?(exactly type: String, _ isStream: Bool) {
        guard let codec = [Self.json, .proto].first(where: { $0.mediaType(isStream: isStream) == type }) else {
            return nil
        }
        self = codec
    }

    /// The content type of a unary call's bodies, or of a stream's.
    func mediaType(isStream: Bool) -> String {
        switch self {
        case .json: isStream ? "application/connect+json" : "application/json"
        case .proto: isStream ? "application/connect+proto" : "application/proto"
        }
    }

    /// All messages of the program, as JSON.
    static let wireJSON = WireJSON()

    /// The packed bytes of a request.
    func pack(_ bytes: [UInt8], as name: String) throws(RPCError) -> [UInt8] {
        guard self == .json else { return bytes }
        do {
            return try Self.wireJSON.pack(json: bytes.isEmpty ? Array("{}".utf8) : bytes, as: name)
        } catch {
            throw error.rpcError
        }
    }

    /// A packed answer in the caller's encoding.
    func text(_ packed: [UInt8], of name: String) throws(RPCError) -> [UInt8] {
        guard self == .json else { return packed }
        do {
            return try Self.wireJSON.json(packed: packed, of: name)
        } catch {
            throw RPCError(.internalError, "the answer can't be written as JSON", cause: error)
        }
    }
}

extension WireJSONError {
    /// The error that the sender of invalid JSON gets.
    var rpcError: RPCError {
        switch code {
        case .unknownField(let path), .invalidValue(let path):
            RPCError(
                .invalidArgument, message,
                details: StatusDetails(fieldViolations: [FieldViolation(field: path, description: message)]))
        case .overBudget: RPCError(.resourceExhausted, message)
        case .notJSON, .malformed, .unknownMessage: RPCError(.invalidArgument, message)
        }
    }
}
