import Compression
import FoundationEssentials
import HTTP
import ProtoSchema
import RPC

/// A unary call as it came over HTTP, its message still as the caller wrote it.
struct ConnectRequest: Sendable {
    let codec: ConnectCodec
    let message: [UInt8]

    /// Bytes that a compressed message may become.
    static let unpackedLimit = 6 << 20

    /// The message of a POST.
    static func posted(_ request: HTTPRequest) throws(RPCError) -> ConnectRequest {
        try checkVersion(request.headers["connect-protocol-version"])
        guard let codec = codec(request.headers["content-type"], prefix: "application/") else {
            throw RPCError(.invalidArgument, "no such media type")  // Refused before, with a status of its own.
        }
        let body = try Self.body(request.body, compression: request.headers["content-encoding"])
        return ConnectRequest(codec: codec, message: body)
    }

    /// The message in the arguments of a GET.
    static func asked(_ request: HTTPRequest) throws(RPCError) -> ConnectRequest {
        if let version = request.query["connect"] {
            try checkVersion(version.hasPrefix("v") ? String(version.dropFirst()) : "")
        }
        guard let codec = ConnectCodec(rawValue: request.query["encoding"] ?? "json") else {
            throw .invalid("encoding", "\(request.query["encoding"] ?? "") is given, json or proto is needed")
        }
        let text = request.query["message"] ?? ""
        var message = Array(text.utf8)
        if request.query["base64"] == "1" {
            guard let bytes = Self.base64(text) else { throw .invalid("message", "it is no base64, as base64=1 says") }
            message = bytes
        }
        return ConnectRequest(codec: codec, message: try body(message, compression: request.query["compression"]))
    }

    /// The codec of a content type: "application/json; charset=utf-8" is one.
    static func codec(_ contentType: String?, prefix: String) -> ConnectCodec? {
        guard let contentType else { return nil }
        // As nearly everybody writes it.
        if contentType.hasPrefix(prefix),
            let codec = ConnectCodec(rawValue: String(contentType.dropFirst(prefix.count)))
        {
            return codec
        }
        guard let type = contentType.split(separator: ";").first?.lowercased() else { return nil }
        let name = type.split(separator: " ").joined()
        guard name.hasPrefix(prefix) else { return nil }
        return ConnectCodec(rawValue: String(name.dropFirst(prefix.count)))
    }

    /// A body or a message that may be compressed.
    static func body(_ bytes: [UInt8], compression: String?) throws(RPCError) -> [UInt8] {
        // Nothing is nothing, packed or not.
        if bytes.isEmpty { return bytes }
        switch compression {
        case nil, "", "identity": return bytes
        case "gzip":
            switch Gzip.unpack(bytes, limit: unpackedLimit) {
            case .bytes(let unpacked): return unpacked
            case .damaged: throw RPCError(.invalidArgument, "the message is no gzip, as its encoding says")
            case .tooLong:
                throw RPCError(.resourceExhausted, "the message unpacks to more than \(unpackedLimit) bytes")
            }
        case let other?:
            throw RPCError(.unimplemented, "the compression \(other.prefix(40)) is not known; gzip and identity are")
        }
    }

    private static func checkVersion(_ version: String?) throws(RPCError) {
        guard let version, version != "1" else { return }
        throw .invalid("connect-protocol-version", "\(version.prefix(40)) is given, 1 is spoken")
    }

    /// Of the URL's alphabet or the usual one, padded or not.
    private static func base64(_ text: String) -> [UInt8]? {
        var standard = text.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 }
        standard = standard.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
        if !standard.contains(UInt8(ascii: "=")) {
            standard += [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        }
        return Data(base64Encoded: Data(standard)).map { Array($0) }
    }
}
