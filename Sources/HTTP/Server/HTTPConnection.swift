import EventLoops
import Glibc

/// Bounds how long a connection may take for what it does: libmicrohttpd's own time-out begins anew with each byte.
final class HTTPConnection: TimerOwner {
    private let loop: EventLoop
    private let descriptor: Int32
    /// Who is at the other end; asked for once, since the kernel has to be asked.
    let peer: String
    private var timer: TimerToken?

    init(_ descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
        peer = SocketAddress(peerOf: descriptor)?.host ?? ""
    }

    /// The connection is shut at `deadline`, unless another one is set before; nil: it may take as long as it likes.
    func allow(until deadline: MonotonicTime?) {
        if let timer { loop.cancelTimer(timer) }
        timer = deadline.map { loop.setTimer($0, owner: self, tag: 0) }
    }

    func timerFired(_ tag: UInt32) {
        timer = nil
        shut()
    }

    /// Ends it at once; libmicrohttpd sees that, and closes it.
    func shut() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
