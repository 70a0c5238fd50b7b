import EventLoops
import Glibc

/// Bounds how long a connection may take for what it does: libmicrohttpd's own time-out begins anew with each byte.
final class HTTPConnection: TimerOwner {
    private let loop: EventLoop
    private let descriptor: Int32
    /// Who is at the other end; asked for once, since the kernel has to be asked.
    let peer: String
    private var deadline: MonotonicTime?
    /// Set for the deadline or before it: most deadlines are put off again and again, and a timer that is due early
    /// looks what the deadline has become.
    private var timer: (token: TimerToken, due: MonotonicTime)?

    init(_ descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
        peer = SocketAddress(peerOf: descriptor)?.host ?? ""
    }

    /// The connection is shut at `deadline`, unless another one is set before; nil: it may take as long as it likes.
    func allow(until deadline: MonotonicTime?) {
        self.deadline = deadline
        guard let deadline else { return }
        if let timer {
            if timer.due <= deadline { return }
            loop.cancelTimer(timer.token)
        }
        timer = (loop.setTimer(deadline, owner: self, tag: 0), deadline)
    }

    /// Forgets it, when the connection is closed.
    func stop() {
        deadline = nil
        if let timer { loop.cancelTimer(timer.token) }
        timer = nil
    }

    func timerFired(_ tag: UInt32) {
        timer = nil
        guard let deadline else { return }
        if deadline <= loop.now { shut() } else { allow(until: deadline) }
    }

    /// Ends it at once; libmicrohttpd sees that, and closes it.
    func shut() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
