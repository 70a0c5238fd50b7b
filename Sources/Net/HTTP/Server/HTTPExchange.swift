import EventLoops

/// One request and its answer. Stays on one loop, in its daemon's table.
@safe
final class HTTPExchange {
    enum State {
        /// Its head has arrived, its body is arriving.
        case receiving
        /// Its body is discarded, because it is too much; this answer is sent at its end.
        case refusing(HTTPResponse)
        /// The responder is working on it; the connection is suspended.
        case responding(Task<Void, Never>)
        /// The answer is known, and is passed on when the connection resumes.
        case responded(HTTPResponse)
        /// The answer was passed to libmicrohttpd.
        case answered
        /// The body is written while it is sent.
        case streaming(Task<Void, Never>)
    }

    let connection: OpaquePointer
    /// The connection that it belongs to. It ends before its connection does.
    let client: HTTPConnection?
    var request: HTTPRequest
    /// What was decided by its head.
    let work: any HTTPWork
    let bodyLimit: HTTPBodyLimit
    /// Bytes that it is going to have, where its head says so.
    private let declared: Int
    /// When its head had arrived.
    let start: MonotonicTime
    var state = State.receiving
    var memory: RequestMemory { request.memory }
    var refused = 0
    var queue = BodyQueue()
    /// Whether the connection waits for bytes of the queue.
    var isWaitingForBytes = false
    /// Writers that wait for room in the queue.
    var writers: [Waiter<Void>] = []
    var hangUp: HangUpWatch?
    var slowAnswer: SlowAnswer?

    init(
        _ connection: OpaquePointer, of client: HTTPConnection?, _ arrived: ArrivedRequest, declared: Int,
        start: MonotonicTime
    ) {
        unsafe self.connection = connection
        self.client = client
        request = arrived.request
        work = arrived.work
        bodyLimit = arrived.bodyLimit
        self.declared = declared
        self.start = start
    }

    /// The room for a body of which so many bytes have come: a quarter more, so that it is rarely moved, but not more
    /// than it is going to have.
    func room(for count: Int) -> Int {
        let room = request.body.capacity
        return count <= room ? room : max(count, min(declared > 0 ? declared : bodyLimit.bytes, count + count / 4))
    }

    /// Its client no longer has to be watched.
    func stopWatching() {
        hangUp?.stop()
        slowAnswer?.stop()
        slowAnswer = nil
    }

    /// Cancels the work on it.
    func cancel() {
        switch state {
        case .responding(let task), .streaming(let task): task.cancel()
        case .receiving, .refusing, .responded, .answered: break
        }
    }
}

/// Notifies a daemon that a client has gone, which libmicrohttpd can't see while the connection waits.
final class HangUpWatch: IOHandler {
    private unowned let daemon: HTTPDaemon
    private let exchange: UInt64
    private let descriptor: Int32
    private var registration: Registration?

    init(_ daemon: HTTPDaemon, _ exchange: UInt64, _ descriptor: Int32) {
        self.daemon = daemon
        self.exchange = exchange
        self.descriptor = descriptor
        // If the descriptor can't be watched, the write will fail later.
        registration = try? daemon.loop.registerHangUp(descriptor, self)
    }

    func stop() {
        guard let registration else { return }
        self.registration = nil
        daemon.loop.deregister(descriptor, registration)
    }

    func ready(read: Bool, write: Bool) {
        stop()
        let exchange = exchange
        daemon.onLoop { $0.abandon(exchange) }
    }
}
