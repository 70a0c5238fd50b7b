import Arguments
import RPC

/// How the process ends: 0 well, 1 not, 2 wrong arguments, 10 and a status code's number when a call failed.
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
