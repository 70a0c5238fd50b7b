import Budgets
import EventLoops
import Glibc

/// A client that was let in and is about to be a connection.
struct HTTPEntry: ~Copyable {
    let peer: String
    let client: ClientKey
    /// The connection's own memory.
    var memory: MemoryAccount
}

/// Bounds how long a connection may take for what it does: libmicrohttpd's own time-out begins anew with each byte.
final class HTTPConnection: TimerOwner {
    private let loop: EventLoop
    let descriptor: Int32
    /// What its next bytes have to be.
    var gate: Gate
    /// Who is at the other end; asked for once, since the kernel has to be asked.
    let peer: String
    /// Whose connection it is among those that are counted.
    let client: ClientKey
    private var memory: MemoryAccount
    private var deadline: MonotonicTime?
    /// Set for the deadline or before it: most deadlines are put off again and again, and a timer that is due early
    /// looks what the deadline has become.
    private var timer: (token: TimerToken, due: MonotonicTime)?

    /// How a connection's bytes get to libmicrohttpd.
    enum Gate {
        case open(RequestGate)
        /// After the requests that were let through this is said, and the connection ends.
        case refusing(HTTPRefusal)
        case closed
    }

    init(_ descriptor: Int32, loop: EventLoop, longestHead: Int, _ entry: consuming HTTPEntry) {
        self.descriptor = descriptor
        gate = .open(RequestGate(longestHead: longestHead))
        self.loop = loop
        peer = entry.peer
        client = entry.client
        memory = entry.memory
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
