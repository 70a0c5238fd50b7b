import Budgets
import EventLoops
import Glibc
import HTTPGate

/// A client that was let in, before its connection exists.
struct HTTPEntry: ~Copyable {
    let peer: String
    let client: ClientKey
    /// The connection's own memory, and bytes of it that were granted.
    var memory: MemoryAccount
    let heldBytes: Int
    /// What stands before libmicrohttpd's socket; nil for plain text.
    let relay: TLSRelay?
}

/// Limits how long a connection may take for each step: libmicrohttpd's own time-out restarts with each byte.
final class HTTPConnection: TimerOwner {
    private let loop: EventLoop
    let descriptor: Int32
    /// What its next bytes must be.
    var gate: RequestGate
    var input = Input.open
    /// The peer's address; read once, since that takes a system call.
    let peer: String
    /// The client that the connection is counted for.
    let client: ClientKey
    private var memory: MemoryAccount
    private let heldBytes: Int
    /// What is needed to go on in HTTP/2, once libmicrohttpd has let go of the connection.
    var opening: HTTP2Opening?
    /// Bytes of a line that is not whole yet.
    private var lineBytes = 0
    /// What stands before its socket; nil for plain text.
    let relay: TLSRelay?
    private var deadline: MonotonicTime?
    /// Set for the deadline or an earlier time: most deadlines are postponed again and again, and when the timer fires
    /// early it is set to the current deadline.
    private var timer: (token: TimerToken, due: MonotonicTime)?

    /// How a connection's bytes get to libmicrohttpd.
    enum Input {
        /// As the gate passes them.
        case open
        /// After the answers to the requests already let through, this is sent, and the connection ends.
        case refusing(HTTPRefusal)
        case closed
    }

    init(_ descriptor: Int32, loop: EventLoop, longestHead: Int, _ entry: consuming HTTPEntry) {
        self.descriptor = descriptor
        gate = RequestGate(longestHead: longestHead)
        self.loop = loop
        peer = entry.peer
        client = entry.client
        heldBytes = entry.heldBytes
        memory = entry.memory
        relay = entry.relay
    }

    deinit { if let opening { close(opening.descriptor) } }

    /// Charges the line that the gate keeps until it is whole; false when there is no memory for it.
    func holdsLine() -> Bool {
        let bytes = gate.heldBytes
        if bytes == lineBytes { return true }
        lineBytes = bytes
        if bytes == 0 { memory.settle(at: heldBytes) }
        return memory.hold(heldBytes + bytes)
    }

    /// Charges what HTTP/2 holds for the connection besides its requests; false when there is no memory for it.
    func holds(_ bytes: Int) -> Bool { memory.hold(heldBytes + bytes) }

    /// Shuts the connection at `deadline`, unless another one is set before; nil: no limit.
    func allow(until deadline: MonotonicTime?) {
        self.deadline = deadline
        guard let deadline else { return }
        if let timer {
            if timer.due <= deadline { return }
            loop.cancelTimer(timer.token)
        }
        timer = (loop.setTimer(deadline, owner: self, tag: 0), deadline)
    }

    /// Removes the deadline, when the connection is closed.
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

    /// It speaks HTTP/2: libmicrohttpd takes it for ended, and closes its descriptor.
    func goOn(withoutLibrary bytes: [UInt8]) {
        input = .closed
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        waymark_http_spare(descriptor)
        opening = HTTP2Opening(descriptor: copy, bytes: bytes)
    }

    /// Shuts it at once; libmicrohttpd notices that, and closes it.
    func shut() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        relay?.cut()
    }
}
