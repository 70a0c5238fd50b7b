package import EventLoops
package import Files
import Glibc
import Synchronization

/// The descriptor that the signal handler writes to; -1 before there is one. A handler can reach nothing else.
private let signalDescriptor = Atomic<Int32>(-1)

/// SIGINT, SIGTERM and SIGHUP as something to read. One for a process.
///
/// A handler, because a blocked signal is not safe from the main thread: once `main` has suspended, libdispatch lets
/// that thread sleep in sigsuspend with every signal unblocked.
package struct StopSignals: Sendable {
    private let pipe: Pipe

    /// Readable when a signal waits.
    package var descriptor: Descriptor { pipe.reading }

    package init() throws(SystemError) {
        pipe = try Pipe()
        signalDescriptor.store(pipe.writing.number, ordering: .sequentiallyConsistent)
        // Nobody reading what is printed is no reason to stop.
        _ = signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM] { _ = signal(number, Self.handler) }
        let before = signal(SIGHUP, Self.handler)
        // What nohup started is to outlive its terminal.
        if unsafe unsafeBitCast(before, to: Int.self) == Self.ignored { _ = signal(SIGHUP, SIG_IGN) }
    }

    /// Takes one waiting signal away.
    package func take() {
        var byte: UInt8 = 0
        _ = unsafe read(descriptor.number, &byte, 1)
    }

    /// From here on SIGINT and SIGTERM end the process again.
    package func end() { for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) } }

    /// SIG_IGN, which is the address 1.
    private static let ignored = 1

    /// Writes one byte and leaves errno as it was: write is all it calls, and that may be called in a handler.
    private static let handler: @convention(c) (Int32) -> Void = { _ in
        let before = errno
        var byte: UInt8 = 0
        _ = unsafe write(signalDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = before
    }
}
