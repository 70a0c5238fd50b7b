import FoundationEssentials
import HTTP
import RPC
import Wire

/// An error as the Connect protocol writes it (https://connectrpc.com/docs/protocol/#error-codes).
struct ConnectError: Encodable {
    struct Detail: Encodable {
        let type: String
        /// Base64 without padding.
        let value: String
        let debug: Debug
    }

    /// The detail again, for people and for clients that know no protobuf.
    struct Debug: Encodable {
        struct Violation: Encodable {
            let field: String
            let description: String
        }

        let fieldViolations: [Violation]?
        let retryAfterMs: String?
        let requestId: String?
    }

    let code: String
    let message: String
    let details: [Detail]?

    init(_ error: RPCError) {
        code = error.code.connectName
        message = error.message
        details = error.details.map { [Detail($0)] }
    }

    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("strings can always be encoded") }
        return Array(data)
    }
}

extension ConnectError.Detail {
    fileprivate init(_ details: StatusDetails) {
        type = StatusDetails.protoName
        value = String(Data(details.packedBytes()).base64EncodedString().prefix { $0 != "=" })
        let violations = details.fieldViolations.map {
            ConnectError.Debug.Violation(field: $0.field, description: $0.description)
        }
        debug = ConnectError.Debug(
            fieldViolations: violations.isEmpty ? nil : violations,
            retryAfterMs: details.retryAfterMs.map { "\($0)" },
            requestId: details.requestId.isEmpty ? nil : details.requestId)
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
}

extension RPCCode {
    /// As the Connect protocol spells it.
    var connectName: String {
        // It writes this one as Go does.
        self == .cancelled ? "canceled" : description.lowercased()
    }

    /// The status of HTTP that stands for it.
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
