import FoundationEssentials
import HTTP
import RPC
import Wire

/// How a call by gRPC ended: the fields behind its messages.
enum GRPCEnd {
    static let ok: HTTPFields = [("grpc-status", "0")]

    static func fields(_ error: RPCError) -> HTTPFields {
        var fields: HTTPFields = [("grpc-status", "\(error.code.rawValue)")]
        if !error.message.isEmpty { fields.add("grpc-message", escaped(error.message)) }
        if error.details != nil { fields.add("grpc-status-details-bin", base64(GRPCStatus(error).packed)) }
        return fields
    }

    /// The last envelope of a body of gRPC-Web: the same fields, as HTTP/1.1 writes them.
    static func envelope(_ fields: HTTPFields) -> [UInt8] {
        ConnectEnvelope.wrap(fields.all.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) }, flags: 0x80)
    }

    /// All but printable ASCII, and the percent sign itself, as escapes.
    private static func escaped(_ message: String) -> String {
        if message.utf8.allSatisfy(isPlain) { return message }
        var bytes: [UInt8] = []
        for byte in message.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Without padding, as fields with binary values are sent.
    private static func base64(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedData().prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: text, as: UTF8.self)
    }
}

/// google.rpc.Status of an error, with what gRPC's clients look for in it: our own details, and the fields that were
/// refused and the time to wait as google.rpc.BadRequest and RetryInfo
/// (https://github.com/googleapis/googleapis/blob/master/google/rpc).
struct GRPCStatus {
    private let error: RPCError

    init(_ error: RPCError) { self.error = error }

    var packed: [UInt8] {
        let details = details.map { Self.field(3, $0) }.joined()
        return Self.field(1, varint: UInt64(error.code.rawValue)) + Self.field(2, Array(error.message.utf8)) + details
    }

    /// Each a google.protobuf.Any.
    private var details: [[UInt8]] {
        guard let details = error.details else { return [] }
        var all = [Self.any(StatusDetails.protoName, details.packedBytes())]
        if !details.fieldViolations.isEmpty {
            let violations = details.fieldViolations.map { violation in
                Self.field(
                    1, Self.field(1, Array(violation.field.utf8)) + Self.field(2, Array(violation.description.utf8)))
            }
            all.append(Self.any("google.rpc.BadRequest", Array(violations.joined())))
        }
        if let milliseconds = details.retryAfterMs {
            let duration =
                Self.field(1, varint: milliseconds / 1000)
                + Self.field(2, varint: milliseconds % 1000 * 1_000_000)
            all.append(Self.any("google.rpc.RetryInfo", Self.field(1, duration)))
        }
        return all
    }

    private static func any(_ name: String, _ message: [UInt8]) -> [UInt8] {
        field(1, Array("type.googleapis.com/\(name)".utf8)) + field(2, message)
    }

    private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    private static func field(_ number: UInt64, varint value: UInt64) -> [UInt8] {
        value == 0 ? [] : varint(number << 3) + varint(value)
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
