import Arguments
import RPC

/// Names a change, so that the request can be repeated and the change is made once.
struct ChangeName: Sendable, CustomStringConvertible {
    let description: String

    /// The value of `--request-id`, else 128 random bits as 32 hexadecimal digits.
    init(_ arguments: ParsedArguments) { description = arguments.text("request-id") ?? Self.random() }

    /// Makes a call that asks for the change. An error that leaves open whether it was made carries the name.
    func calling<R>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch {
            guard let cause = error as? RPCError, cause.leavesOpen else { throw error }
            throw UncertainChange(cause: cause, name: description)
        }
    }

    private static func random() -> String {
        let digits = String(UInt128.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}

/// A call that failed, though its change may have been made.
struct UncertainChange: Error {
    let cause: RPCError
    /// The name that the change was given.
    let name: String
}

extension RPCError {
    /// Whether the call may have succeeded all the same.
    fileprivate var leavesOpen: Bool {
        switch code {
        case .unavailable, .deadlineExceeded, .cancelled, .unknown, .internalError: true
        default: false
        }
    }
}

extension Flag {
    /// The flags of every command that changes something.
    static let change = [
        Flag("request-id", "NAME", "identifies the change; a retry with the same name changes nothing more")
    ]
}
