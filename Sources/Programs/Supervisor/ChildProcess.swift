import CLinux
import EventLoops
import Files
import Glibc

/// A running child. Its standard output is a pipe to us; it is in a process group of its own, so that a terminal's
/// Ctrl-C reaches us alone.
final class ChildProcess {
    let processID: Int32
    /// Readable when the child has ended.
    let endDescriptor: Descriptor
    /// The child's standard output.
    let output: Descriptor

    /// The descriptor under which a child finds its lifeline.
    static let lifelineNumber: Int32 = 3

    private init(_ processID: Int32, end: Descriptor, output: Descriptor) {
        self.processID = processID
        self.endDescriptor = end
        self.output = output
    }

    /// Starts `program`.
    /// - Parameters:
    ///   - errors: becomes its standard error.
    ///   - lifeline: becomes its descriptor 3.
    static func start(
        _ program: String, _ arguments: [String], errors: Int32, lifeline: Int32
    ) throws(SystemError) -> ChildProcess {
        let pipe = try Pipe()
        let descriptors = [(pipe.writing.number, STDOUT_FILENO), (errors, STDERR_FILENO), (lifeline, lifelineNumber)]
        let processID = try Spawn(program: program, arguments: arguments, descriptors: descriptors).run()
        do {
            return ChildProcess(processID, end: try .process(processID), output: pipe.reading)
        } catch {
            // A child that can't be watched must not run.
            kill(processID, SIGKILL)
            waitpid(processID, nil, 0)
            throw error
        }
    }

    /// How it ended. To be called once, when `endDescriptor` is readable.
    func end() throws(SystemError) -> ProcessEnd {
        var status: Int32 = 0
        try syscall("waitpid") { [processID] in unsafe waitpid(processID, &status, 0) }
        return ProcessEnd(waitStatus: status)
    }

    /// Sends a signal. Only to be called before `end`: afterwards another process may have its id.
    func signal(_ number: Int32) { _ = kill(processID, number) }
}

extension Descriptor {
    /// Readable when the process has ended.
    static func process(_ processID: Int32) throws(SystemError) -> Descriptor {
        Descriptor(owning: try syscall("pidfd_open") { pidfd_open(processID, 0) })
    }
}

/// How a process ended.
package enum ProcessEnd: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)
    /// It could not even be started.
    case notStarted(reason: String)

    /// From the status of `waitpid`: the signal in the low seven bits, the exit status in the byte above.
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    package var description: String {
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
