import Budgets
import CMicrohttpd
import EventLoops
import Glibc
import HTTPGate

/// One of libmicrohttpd's daemons, run by one loop: its connections live there for life, and the responder works there.
///
/// libmicrohttpd has an epoll descriptor of its own, which our loop watches. What it has to tell comes as calls from
/// within `MHD_run`, so on the loop; an exchange is known by a number that it keeps for us. While a responder works,
/// the connection is suspended.
@safe
actor HTTPDaemon: LoopActor {
    nonisolated let loop: EventLoop
    let server: HTTPServer
    private let connectionLimit: Int
    /// The limit of that name, in nanoseconds.
    let patience: UInt64
    private var handle: OpaquePointer?
    private var registration: Registration?
    private var willRun = false

    var exchanges: [UInt64: HTTPExchange] = [:]
    var connections: [UInt64: HTTPConnection] = [:]
    /// The same by their sockets.
    var sockets: [Int32: HTTPConnection] = [:]
    private var lastID: UInt64 = 0
    /// The client whose socket libmicrohttpd is just given.
    var entry: HTTPEntry?
    /// Memory of a connection, in bytes, besides what libmicrohttpd keeps for its head.
    private static let connectionBytes = 4 << 10
    private(set) var isDraining = false
    /// Whether no request is begun any more, because connections are about to be closed.
    private(set) var isClosing = false
    private var drained: Waiter<Void>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    nonisolated var limits: HTTPLimits { server.limits }

    init(loop: EventLoop, server: HTTPServer, connections: Int) {
        self.loop = loop
        self.server = server
        connectionLimit = connections
        patience = server.limits.patience.clampedNanoseconds
    }

    func start() throws(SystemError) {
        guard waymark_http_gate_holds() != 0 else { throw SystemError(call: "recv of this program", code: ENOSYS) }
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        let handle = unsafe waymark_http_start(
            owner, HTTPCallbacks.access, HTTPCallbacks.completed, HTTPCallbacks.connected, limits.headBytes,
            UInt32(clamping: connectionLimit))
        guard let handle = unsafe handle else { throw SystemError(call: "MHD_start_daemon", code: errno) }
        unsafe self.handle = handle
        registration = try unsafe loop.register(waymark_http_epoll(handle), self)
    }

    /// A new client.
    func take(_ client: consuming Socket) {
        guard let handle = unsafe handle, let peer = client.peerAddress, let host = peer.host else { return }
        let (key, standing) = (ClientKey(host), server.responder.standing(of: host))
        var memory = MemoryAccount(server.memory, key, standing, .connections)
        guard memory.hold(limits.headBytes + Self.connectionBytes), server.clients.open(key, standing) else { return }
        entry = HTTPEntry(peer: host, client: key, memory: memory)
        let descriptor = client.release()
        // It closes the socket itself when it does not want it.
        _ = unsafe peer.withBytes { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe MHD_add_connection(handle, descriptor, address, socklen_t(bytes.count))
        }
        // It did not want the client: there are too many.
        if let refused = entry.take() { server.clients.close(refused.client) }
        runSoon()
    }

    func newID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Lets libmicrohttpd work at the end of this turn.
    func runSoon() {
        if willRun { return }
        willRun = true
        loop.atTurnEnd(self)
    }

    /// Lets libmicrohttpd work, and looks at what it reads.
    private func runOnce(_ handle: OpaquePointer) {
        unsafe waymark_http_set_gate(HTTPCallbacks.gate, Unmanaged.passUnretained(self).toOpaque())
        _ = unsafe MHD_run(handle)
        waymark_http_set_gate(nil, nil)
    }

    private func run() {
        willRun = false
        guard let handle = unsafe handle else { return }
        unsafe runOnce(handle)
        var milliseconds: CUnsignedLongLong = 0
        // It has no time-outs of its own: ours bound each request as a whole. What is left is work that it has put off.
        guard unsafe MHD_get_timeout(handle, &milliseconds) == MHD_Result.YES, milliseconds == 0 else { return }
        loop.executeLater { self.onLoop { $0.runSoon() } }
    }
}

extension HTTPDaemon: IOHandler, TurnEndObserver {
    nonisolated func ready(read: Bool, write: Bool) { onLoop { $0.run() } }
    nonisolated func turnEnded() { onLoop { $0.run() } }
}

// MARK: stopping

extension HTTPDaemon {
    /// Tells streams to end, lets requests end that are being answered, and closes all connections.
    func shutDown(grace: Duration) async {
        isDraining = true
        for exchange in exchanges.values { if case .streaming(let task) = exchange.state { task.cancel() } }
        async let _: Void = cancelAll(after: grace)
        await Waiter<Void>.suspend { waiter in
            drained = waiter
            checkDrained()
        }
        stop()
    }

    private func cancelAll(after grace: Duration) async {
        do {
            try await Task.sleep(for: grace)
        } catch {
            return  // All ended before.
        }
        isClosing = true
        // Whoever does not read, or does not stop working, is not waited for.
        for connection in connections.values { connection.shut() }
        for (id, exchange) in exchanges {
            exchange.cancel()
            responded(id, HTTPResponse(503))
            abandon(id)
        }
        checkDrained()
    }

    /// Whether nobody works for a connection any more; what still arrives is not waited for.
    func checkDrained() {
        guard isDraining, let waiter = drained, !exchanges.values.contains(where: \.isBusy) else { return }
        drained = nil
        // Nothing may begin between now and then: it would be closed in its midst.
        isClosing = true
        waiter.resume()
    }

    private func stop() {
        guard let handle = unsafe handle else { return }
        if let registration { unsafe loop.deregister(waymark_http_epoll(handle), registration) }
        // Connections that are to go on must have done so before; it takes a suspended one for a mistake of ours.
        unsafe runOnce(handle)
        unsafe MHD_stop_daemon(handle)
        unsafe self.handle = nil
    }
}

extension HTTPExchange {
    /// Whether its connection is suspended, or its answer on its way.
    fileprivate var isBusy: Bool {
        switch state {
        case .receiving, .refusing: false
        case .responding, .responded, .answered, .streaming: true
        }
    }
}
