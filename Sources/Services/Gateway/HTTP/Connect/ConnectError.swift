import Bytes
import FoundationEssentials
import HTTP
import JSONStream
import RPC
import Refusals
import Wire

/// An error as the Connect protocol writes it (https://connectrpc.com/docs/protocol/#error-codes). Its text names
/// fields as JSON does: "radiusM"; the packed details name them as the .proto does.
struct ConnectError {
    private let error: RPCError

    init(_ error: RPCError) { self.error = error }

    /// The message with the first refused field as JSON writes its path.
    private var message: String {
        guard let field = error.details?.fieldViolations.first?.field, let rest = error.message.after(field) else {
            return error.message
        }
        return Refusal.jsonPath(field) + rest
    }

    var json: [UInt8] {
        let text = JSONText()
        text.startObject()
        text.member("code", error.code.connectName)
        if let details = error.details {
            text.string("details")
            text.startArray()
            Self.write(details, text)
            text.endArray()
        }
        text.member("message", message)
        text.endObject()
        return text.bytes()
    }

    /// Each detail, packed in base64 without padding, and again as JSON for people and for clients without protobuf.
    private static func write(_ details: StatusDetails, _ text: borrowing JSONText) {
        text.startObject()
        text.string("debug")
        text.startObject()
        if !details.failedBranch.isEmpty { text.member("failedBranch", details.failedBranch) }
        if !details.fieldViolations.isEmpty { write(details.fieldViolations, text) }
        if !details.requestId.isEmpty { text.member("requestId", details.requestId) }
        if let milliseconds = details.retryAfterMs { text.member("retryAfterMs", "\(milliseconds)") }
        text.endObject()
        text.member("type", StatusDetails.protoName)
        let base64 = Data(details.packedBytes()).base64EncodedData().prefix { $0 != UInt8(ascii: "=") }
        text.member("value", String(decoding: base64, as: UTF8.self))
        text.endObject()
    }

    private static func write(_ violations: [FieldViolation], _ text: borrowing JSONText) {
        text.string("fieldViolations")
        text.startArray()
        for violation in violations {
            text.startObject()
            text.member("description", violation.description)
            text.member("field", Refusal.jsonPath(violation.field))
            text.endObject()
        }
        text.endArray()
    }
}

extension JSONText {
    fileprivate borrowing func member(_ name: String, _ value: String) {
        string(name)
        string(value)
    }
}

extension HTTPResponse {
    /// An error of a unary call.
    init(_ error: RPCError) {
        self.init(
            error.code.httpStatus, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: .bytes(ConnectError(error).json))
        guard let milliseconds = error.details?.retryAfterMs else { return }
        headers.add("Retry-After", "\(milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0))")
    }

    /// An error of HTTP, in the form of a call's error: a client reads only one kind.
    init(_ status: Int, _ code: RPCCode, _ message: String) {
        self.init(RPCError(code, message))
        self.status = status
    }

    /// The method of HTTP can do nothing with what the path names. No code of a call fits: Connect reads this status as
    /// "unknown".
    static func methodNotAllowed(_ request: HTTPRequest, _ allowed: String) -> HTTPResponse {
        let method = request.method.shortened(to: 20)
        var response = HTTPResponse(
            405, .unknown, "the method \(method) is not allowed here; allowed: \(allowed)")
        response.headers.add("Allow", allowed)
        return response
    }
}

extension RPCCode {
    /// In the spelling of the Connect protocol.
    var connectName: String {
        // Connect spells this one as Go does.
        self == .cancelled ? "canceled" : description.lowercased()
    }

    /// The corresponding HTTP status.
    var httpStatus: Int {
        switch self {
        case .ok: 200
        case .cancelled: 499
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        case .unknown, .internalError, .dataLoss: 500
        }
    }
}
