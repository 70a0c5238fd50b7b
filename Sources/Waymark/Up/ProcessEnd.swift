import Glibc

/// How a process ended.
enum ProcessEnd: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)
    /// It could not even be started.
    case notStarted(reason: String)

    /// From what `waitpid` gives: the signal in the low seven bits, the status in the byte above.
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    var description: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "signal \(signal) (\(Self.name(of: signal)))"
        case .notStarted(let reason): reason
        }
    }

    private static func name(of signal: Int32) -> String {
        unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
    }
}
