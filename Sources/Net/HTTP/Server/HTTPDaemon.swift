import Budgets
import CMicrohttpd
import EventLoops
import Glibc
import HTTPGate

/// One of libmicrohttpd's daemons, run by one loop: its connections stay there for life, and the responder runs there.
///
/// libmicrohttpd has its own epoll descriptor, which our loop watches. It reports events by calls from within
/// `MHD_run`, so on the loop; an exchange is identified by a number that it keeps for us. While a responder works, the
/// connection is suspended.
@safe
actor HTTPDaemon: LoopActor {
    nonisolated let loop: EventLoop
    let server: HTTPServer
    private let connectionLimit: Int
    /// `HTTPLimits.patience`, in nanoseconds.
    let patience: UInt64
    private var handle: OpaquePointer?
    private var registration: Registration?
    private var willRun = false

    var exchanges: [UInt64: HTTPExchange] = [:]
    var connections: [UInt64: HTTPConnection] = [:]
    let gates: SocketGates
    /// Connections that broke off in the present run of libmicrohttpd.
    private var broken: [(id: UInt64, connection: OpaquePointer)] = unsafe []
    private var lastID: UInt64 = 0
    /// The client whose socket is just being passed to libmicrohttpd.
    var entry: HTTPEntry?
    /// Memory of a connection, in bytes, besides what libmicrohttpd allocates for its head.
    private static let connectionBytes = 4 << 10
    private(set) var isDraining = false
    /// Whether no request is started any more, because connections are about to be closed.
    private(set) var isClosing = false
    private var drained: Waiter<Void>?
    /// Connections that go on without libmicrohttpd.
    var multiplexed: [UInt64: HTTP2Connection] = [:]
    /// Connections that libmicrohttpd has closed, and whose clients still get what was on its way in TLS.
    var leaving: [UInt64: HTTPConnection] = [:]
    /// Waits until there are none.
    var left: Waiter<Void>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    nonisolated var limits: HTTPLimits { server.limits }

    init(loop: EventLoop, server: HTTPServer, connections: Int) {
        self.loop = loop
        self.server = server
        gates = SocketGates(server, loop)
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
        let bytes = limits.headBytes + Self.connectionBytes
        guard memory.hold(bytes), leaving.count < connectionLimit,
            server.clients.open(key, standing)
        else { return }
        guard let way = way(from: client, key, standing) else { return server.clients.close(key) }
        entry = HTTPEntry(peer: host, client: key, memory: memory, heldBytes: bytes, relay: way.relay)
        let descriptor = way.descriptor
        // It closes the socket itself when it refuses it.
        _ = unsafe peer.withBytes { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe MHD_add_connection(handle, descriptor, address, socklen_t(bytes.count))
        }
        // It refused the client: there are too many.
        if let refused = entry.take() {
            server.clients.close(refused.client)
            refused.relay?.cut()
        }
        runSoon()
    }

    func newID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Runs libmicrohttpd at the end of this turn.
    func runSoon() {
        if willRun { return }
        willRun = true
        loop.atTurnEnd(self)
    }

    /// Runs libmicrohttpd, and checks what it reads.
    private func runOnce(_ handle: OpaquePointer) {
        unsafe waymark_http_set_gate(HTTPCallbacks.gate, Unmanaged.passUnretained(gates).toOpaque())
        _ = unsafe MHD_run(handle)
        waymark_http_set_gate(nil, nil)
        waymark_http_spare(-1)
    }

    /// A request ended before its answer did; libmicrohttpd closes its connection.
    func brokenOff(_ connection: OpaquePointer) {
        unsafe broken.append((UInt64(UInt(bitPattern: waymark_http_context(connection))), connection))
    }

    /// Makes libmicrohttpd close what broke off. Where the body of an answer fails, 0.9.75 only marks the connection as
    /// closed, and looks at it again at the socket's next event or when it is the oldest of all. The socket of a peer
    /// that had reset it has no more events. A connection that is resumed is looked at in any case.
    private func closeBroken() {
        while let one = unsafe broken.popLast() {
            guard unsafe connections[one.id] != nil else { continue }
            unsafe MHD_suspend_connection(one.connection)
            unsafe MHD_resume_connection(one.connection)
            runSoon()
        }
    }

    private func run() {
        willRun = false
        guard let handle = unsafe handle else { return }
        unsafe runOnce(handle)
        closeBroken()
        var milliseconds: CUnsignedLongLong = 0
        // It has no time-outs of its own: ours bound each request as a whole. What is left is work that it has
        // deferred.
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
    /// Ends streams, lets requests that are being answered end, and closes all connections.
    func shutDown(grace: Duration) async {
        isDraining = true
        for exchange in exchanges.values { if case .streaming(let task) = exchange.state { task.cancel() } }
        for connection in multiplexed.values { connection.onLoop { $0.drain() } }
        async let _: Void = cancelAll(after: grace)
        await Waiter<Void>.suspend { waiter in
            drained = waiter
            checkDrained()
        }
        stop()
        await relaysLeave()
    }

    private func cancelAll(after grace: Duration) async {
        do {
            try await Task.sleep(for: grace)
        } catch {
            return  // All ended before.
        }
        isClosing = true
        // A client that does not read, or a responder that does not stop, is not waited for.
        for connection in connections.values { connection.shut() }
        for (id, exchange) in exchanges {
            exchange.cancel()
            responded(id, HTTPResponse(503))
            abandon(id)
        }
        for connection in multiplexed.values { connection.onLoop { $0.close() } }
        checkDrained()
    }

    /// Resumes the waiter when no connection is being worked for any more; requests that are still arriving don't
    /// count.
    func checkDrained() {
        guard isDraining, let waiter = drained, multiplexed.isEmpty, !exchanges.values.contains(where: \.isBusy) else {
            return
        }
        drained = nil
        // Nothing may begin between now and then: it would be closed half-way.
        isClosing = true
        waiter.resume()
    }

    private func stop() {
        guard let handle = unsafe handle else { return }
        if let registration { unsafe loop.deregister(waymark_http_epoll(handle), registration) }
        // Connections must be resumed before this; libmicrohttpd treats a suspended one as a programming error.
        unsafe runOnce(handle)
        unsafe MHD_stop_daemon(handle)
        unsafe self.handle = nil
    }
}

extension HTTPExchange {
    /// Whether its connection is suspended, or its answer is being sent.
    fileprivate var isBusy: Bool {
        switch state {
        case .receiving, .refusing: false
        case .responding, .responded, .answered, .streaming: true
        }
    }
}
