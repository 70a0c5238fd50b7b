import Arguments
import RPC
import Terminal

/// The exit code: 0 success, 1 failure, 2 wrong arguments, 10 plus a status code's number when a call failed.
struct ExitCode: RawRepresentable, Equatable, Sendable {
    let rawValue: Int32

    static let success = ExitCode(rawValue: 0)
    static let failure = ExitCode(rawValue: 1)
    static let usage = ExitCode(rawValue: 2)

    init(rawValue: Int32) { self.rawValue = rawValue }

    /// For an error of any kind.
    init(_ error: any Error) {
        switch error {
        case is UsageError: self = .usage
        case let error as UncertainChange: self.init(error.cause)
        case let error as RPCError: self.init(rawValue: 10 + Int32(error.code.rawValue))
        default: self = .failure
        }
    }
}

/// An error as shown to its reader.
struct FailureText {
    private struct Answer: Encodable {
        let error: Failure
    }

    private struct Failure: Encodable {
        let code: String
        let message: String
        let requestId: String?
    }

    private let error: any Error
    /// The name of the change that may have been made.
    private let change: String?

    init(_ error: any Error) {
        let uncertain = error as? UncertainChange
        self.error = uncertain?.cause ?? error
        change = uncertain?.name
    }

    /// The lines for a person: what went wrong, and what to do next.
    var lines: [String] { ["waymark: \(sentence)"] + advice + changeAdvice }

    /// `{"error":{"code":…,"message":…}}`, with the `requestId` of a change that was perhaps made
    var json: String {
        do {
            return try OneLineJSON.of(Answer(error: Failure(code: code, message: message, requestId: change)))
        } catch {
            return sentence  // Two strings can always be encoded.
        }
    }

    private var code: String {
        switch error {
        case let error as RPCError: error.code.description
        case is UsageError: "USAGE"
        default: "FAILURE"
        }
    }

    private var message: String { (error as? RPCError)?.message ?? "\(error)" }

    private var sentence: String { (error is RPCError ? "\(code): \(message)" : message).printable }

    private var changeAdvice: [String] {
        change.map { ["The change may have been made; --request-id \($0) retries it without making it twice."] }
            ?? []
    }

    private var advice: [String] {
        if error is UsageError { return ["See waymark --help, or --help behind a command."] }
        switch (error as? RPCError)?.code {
        case .unavailable:
            return [
                "waymark up starts Waymark here, --target HOST:PORT names another; a service that ended is back in seconds."
            ]
        case .deadlineExceeded: return ["--timeout TIME waits longer."]
        case .unimplemented:
            return ["waymark list shows the calls that the target answers; it may be older or newer than this program."]
        case .unauthenticated:
            return [
                "waymark login EMAIL logs in. --token-file PATH or WAYMARK_TOKEN gives a token of the gateway's instead."
            ]
        default: return []
        }
    }
}
