package import EventLoops
import Glibc
import Synchronization

/// Waits for the signals that ask a process to stop, and reports those that ask it to reload its files.
package final class Signals: Sendable {
    private struct State {
        var received = 0
        var waiter: Waiter<Void>?
        var hungUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Where the signal handler writes. A signal may arrive on any thread at any time: writing a byte to a pipe is one
    /// of the few things allowed there.
    private static let pipe = Atomic<Int32>(-1)

    /// Takes over SIGTERM and SIGINT. SIGPIPE is ignored: a broken connection is reported by its write.
    /// One per process.
    package init() throws(SystemError) {
        let (readEnd, writeEnd) = try makePipe()
        Self.pipe.store(writeEnd, ordering: .releasing)
        actAtEachByte(of: readEnd)
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] { Self.takeOver(number) }
    }

    /// Takes over SIGHUP, which would otherwise end the process. `body` may block.
    package func onHangUp(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.hungUp = body }
        Self.takeOver(SIGHUP)
    }

    private static func takeOver(_ number: Int32) {
        signal(number) { number in
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(Signals.pipe.load(ordering: .relaxed), &byte, 1)
        }
    }

    /// Acts as if a signal had arrived.
    package func stop() {
        let waiter = state.withLock { state in
            state.received += 1
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Ends the process at once at the end of the stream on `descriptor`: its parent has gone, and no one waits for it.
    package static func dieAtEnd(of descriptor: Int32) {
        _ = PosixThread(name: "lifeline") {
            while readByte(descriptor) != nil {}
            kill(getpid(), SIGKILL)
        }
    }

    /// Asks to stop at the end of the stream on `descriptor`: the parent, which holds the other end, has gone.
    package func stopAtEnd(of descriptor: Int32) {
        _ = PosixThread(name: "lifeline") { [self] in
            while Self.readByte(descriptor) != nil {}
            stop()
        }
    }

    /// Returns when a signal has arrived.
    package func wait() async {
        await Waiter<Void>.suspend { waiter in
            let isDone = state.withLock { state in
                if state.received > 0 { return true }
                state.waiter = waiter
                return false
            }
            if isDone { waiter.resume() }
        }
    }

    private func actAtEachByte(of descriptor: Int32) {
        _ = PosixThread(name: "signals") { [self] in
            while let number = Self.readByte(descriptor) {
                if Int32(number) == SIGHUP { state.withLock { $0.hungUp }?() } else { stop() }
            }
        }
    }

    /// Waits for a byte; nil at the end of the stream.
    private static func readByte(_ descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? byte : nil
        }
    }
}
