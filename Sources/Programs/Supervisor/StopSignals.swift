package import EventLoops
package import Files
import Glibc
import Synchronization

/// The descriptor that the signal handler writes to; -1 before there is one. A handler can only use a global.
private let signalDescriptor = Atomic<Int32>(-1)

/// SIGINT, SIGTERM and SIGHUP as a readable descriptor. One per process.
///
/// It uses a handler, because blocking a signal does not work on the main thread: once `main` has suspended,
/// libdispatch lets that thread sleep in sigsuspend with every signal unblocked.
package struct StopSignals: Sendable {
    private let pipe: Pipe

    /// Readable when a signal has arrived.
    package var descriptor: Descriptor { pipe.reading }

    package init() throws(SystemError) {
        pipe = try Pipe()
        signalDescriptor.store(pipe.writing.number, ordering: .sequentiallyConsistent)
        // A closed standard output is no reason to stop.
        _ = signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM] { _ = signal(number, Self.handler) }
        let before = signal(SIGHUP, Self.handler)
        // A program started by nohup is to outlive its terminal.
        if unsafe unsafeBitCast(before, to: Int.self) == Self.ignored { _ = signal(SIGHUP, SIG_IGN) }
    }

    /// Consumes one signal.
    package func take() {
        var byte: UInt8 = 0
        _ = unsafe read(descriptor.number, &byte, 1)
    }

    /// From here on SIGINT and SIGTERM end the process again.
    package func end() { for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) } }

    /// SIG_IGN, which is the address 1.
    private static let ignored = 1

    /// Writes one byte and leaves errno as it was; `write` is its only call, and is allowed in a handler.
    private static let handler: @convention(c) (Int32) -> Void = { _ in
        let before = errno
        var byte: UInt8 = 0
        _ = unsafe write(signalDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = before
    }
}
