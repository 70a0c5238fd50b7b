import EventLoops

/// One request and its answer. Lives on one loop, in its daemon's table.
@safe
final class HTTPExchange {
    enum State {
        /// Its head is here, its body is coming.
        case receiving
        /// Its body is not stored, because there is too much; this answer says so when the end of it came.
        case refusing(HTTPResponse)
        /// The responder works on it; the connection is suspended.
        case responding(Task<Void, Never>)
        /// The answer is known, and to be handed over when the connection goes on.
        case responded(HTTPResponse)
        /// The answer was handed over.
        case answered
        /// The body is written while it is sent.
        case streaming(Task<Void, Never>)
    }

    let connection: OpaquePointer
    /// Whose request it is. It ends before its connection does.
    let client: HTTPConnection?
    var request: HTTPRequest
    /// Bytes that its body may have.
    let bodyLimit: Int
    /// When its head was here.
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
        _ connection: OpaquePointer, of client: HTTPConnection?, _ request: HTTPRequest, bodyLimit: Int,
        start: MonotonicTime
    ) {
        unsafe self.connection = connection
        self.client = client
        self.request = request
        self.bodyLimit = bodyLimit
        self.start = start
    }

    /// Its client need not be watched any more.
    func stopWatching() {
        hangUp?.stop()
        slowAnswer?.stop()
        slowAnswer = nil
    }

    /// Stops what runs for it.
    func cancel() {
        switch state {
        case .responding(let task), .streaming(let task): task.cancel()
        case .receiving, .refusing, .responded, .answered: break
        }
    }
}

/// Tells a daemon that a client has gone, which libmicrohttpd can't see while the connection waits.
final class HangUpWatch: IOHandler {
    private unowned let daemon: HTTPDaemon
    private let exchange: UInt64
    private let descriptor: Int32
    private var registration: Registration?

    init(_ daemon: HTTPDaemon, _ exchange: UInt64, _ descriptor: Int32) {
        self.daemon = daemon
        self.exchange = exchange
        self.descriptor = descriptor
        // A descriptor that can't be watched is seen to be gone when it is written to.
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
