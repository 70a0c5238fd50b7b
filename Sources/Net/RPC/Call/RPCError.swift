package import Refusals
package import Wire

/// How a call ended that did not succeed.
package struct RPCError: Error, CustomStringConvertible {
    package let code: RPCCode
    /// A sentence that the reader can act on, at most `longestMessage` bytes. It goes over the wire.
    package let message: String
    /// Details for programs beyond the code. They go over the wire.
    package var details: StatusDetails?
    /// What caused it. Kept for the log, never sent.
    package let cause: (any Error)?

    package init(_ code: RPCCode, _ message: String, details: StatusDetails? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message.shortened(to: Self.longestMessage)
        self.details = details?.bounded
        self.cause = cause
    }

    /// Bytes of the message, and of each field's: a caller is not sent more than that of its own input.
    static let longestMessage = 1024
    /// Refused fields that an error names at most.
    static let maximumViolations = 32

    /// One refused field: its path, the value given and what is allowed; a `Refusal` finds the words.
    package static func invalid(_ field: String, _ description: String) -> RPCError {
        let field = field.shortened(to: longestMessage)
        let description = description.shortened(to: longestMessage)
        let violation = FieldViolation(field: field, description: description)
        return RPCError(
            .invalidArgument, "\(field): \(description)", details: StatusDetails(fieldViolations: [violation]))
    }

    package var description: String { "\(code): \(message)" }
}

extension StatusDetails {
    /// No longer than an error may be.
    fileprivate var bounded: StatusDetails {
        guard !fieldViolations.isEmpty || !failedBranch.isEmpty else { return self }
        var details = self
        details.failedBranch = failedBranch.shortened(to: RPCError.longestMessage)
        details.fieldViolations = fieldViolations.prefix(RPCError.maximumViolations).map { violation in
            FieldViolation(
                field: violation.field.shortened(to: RPCError.longestMessage),
                description: violation.description.shortened(to: RPCError.longestMessage))
        }
        return details
    }
}

/// An error that can be shown to a caller. Domain errors get this in a service's Handlers, so that the domain stays
/// free of the RPC.
package protocol RPCErrorConvertible: Error {
    var rpcError: RPCError { get }
}

extension Refusal: RPCErrorConvertible {
    package var rpcError: RPCError { .invalid(field, problem) }
}

extension RPCError {
    /// The caller's view of a handler's error. The text of an error that was not converted stays inside.
    package init(anyError error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case let error as any RPCErrorConvertible: self = error.rpcError
        case is CancellationError: self.init(.cancelled, "the call was cancelled", cause: error)
        default: self.init(.unknown, "the call failed; the reason is in the service's log", cause: error)
        }
    }

    init(_ status: Status) {
        self.init(RPCCode(wire: status.code), status.message, details: status.details)
    }

    var status: Status { Status(code: code.rawValue, message: message, details: details) }
}

/// The canonical status codes of gRPC, with gRPC's numbers
/// (https://grpc.io/docs/guides/status-codes/).
package enum RPCCode: UInt32, Sendable, CaseIterable, CustomStringConvertible {
    case ok = 0
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case internalError = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16

    /// A number from the wire; one that is not known becomes `unknown`.
    package init(wire: UInt32) { self = RPCCode(rawValue: wire) ?? .unknown }

    /// The name as specifications write it: "INVALID_ARGUMENT".
    package var description: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internalError: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }
}
