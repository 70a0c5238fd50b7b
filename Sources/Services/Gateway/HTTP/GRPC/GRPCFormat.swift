import Bytes

/// How the messages of a call by gRPC are written, from its content type
/// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md, PROTOCOL-WEB.md): "application/grpc",
/// "application/grpc-web+proto", "application/grpc-web-text".
struct GRPCFormat: Sendable, Equatable {
    let codec: ConnectCodec
    /// Whether it is gRPC-Web: what follows the messages comes as the last envelope of the body.
    let isWeb: Bool
    /// Whether the body is in base64.
    let isText: Bool
    /// As the answer says it.
    let contentType: String

    private static let usual = "application/grpc"

    /// Nil for another protocol.
    init?(_ contentType: String?) {
        // The way nearly all clients write it.
        if contentType == Self.usual {
            (codec, isWeb, isText, self.contentType) = (.proto, false, false, Self.usual)
            return
        }
        guard let contentType, contentType.utf8.starts(with: Self.usual.utf8),
            let type = contentType.split(at: ";").first?.lowercased().without(" ")
        else { return nil }
        let parts = type.dropFirst(Self.usual.utf8.count).split(at: "+", omittingEmptySubsequences: false)
        switch parts.first {
        case "": (isWeb, isText) = (false, false)
        case "-web": (isWeb, isText) = (true, false)
        case "-web-text": (isWeb, isText) = (true, true)
        default: return nil
        }
        switch parts.count == 1 ? "proto" : parts.count == 2 ? String(parts[1]) : "" {
        case "proto": codec = .proto
        case "json": codec = .json
        default: return nil
        }
        self.contentType = String(type)
    }
}
