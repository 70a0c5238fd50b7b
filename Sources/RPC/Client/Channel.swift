import EventLoops
import TLS

/// A loop's own connections to one target: one, made when it is needed and again when it is lost, and more while calls
/// are open beyond what one takes.
actor Channel {
    nonisolated let loop: EventLoop
    private let target: Endpoint
    private let agent: String
    private let limits: Limits
    private let resolver: BlockingPool
    private let tls: TLSContext?
    /// All that are not closed yet; some may be full, some drain.
    private var connections: [ClientConnection] = []
    private var waiters: [UInt32: Waiter<Result<ClientConnection, AttemptFailure>>] = [:]
    private var nextWaiter: UInt32 = 1
    private var dialling: Task<Void, Never>?
    private var backoff = Backoff()
    private var retryTime: MonotonicTime?
    private var lastError = ""
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private static let connectTimeout: Duration = .seconds(3)
    static let mostConnections = 16

    init(
        loop: EventLoop, target: Endpoint, agent: String, limits: Limits, resolver: BlockingPool,
        tls: TLSContext? = nil
    ) {
        self.loop = loop
        self.target = target
        self.agent = agent
        self.limits = limits
        self.resolver = resolver
        self.tls = tls
    }

    /// A connection that takes calls. Fails at once while the last failure to connect is fresh.
    func connected(_ deadline: MonotonicTime) async throws(AttemptFailure) -> ClientConnection {
        for _ in 0..<Self.mostConnections {
            for connection in connections { if await connection.acceptsCalls { return connection } }
            let connection = try await dialled(deadline)
            if await connection.acceptsCalls { return connection }
            // Others that waited with us have filled it.
            guard await connection.isFull else { throw await refusal(by: connection) }
        }
        throw full
    }

    /// Nothing but full connections was found.
    var full: AttemptFailure {
        AttemptFailure(
            RPCError(.resourceExhausted, "\(connections.count) connections to \(target) are full of calls"),
            wasNotStarted: true)
    }

    /// One more connection, from a dial that all who need one share.
    private func dialled(_ deadline: MonotonicTime) async throws(AttemptFailure) -> ClientConnection {
        if isClosed { throw unavailable("the client is closed") }
        if let retryTime, loop.now < retryTime, dialling == nil { throw unavailable(lastError) }
        if dialling == nil { dialling = Task(executorPreference: loop) { await self.dial() } }
        let id = nextWaiter
        nextWaiter &+= 1
        let timer = loop.setTimer(deadline, owner: self, tag: id)
        defer { loop.cancelTimer(timer) }
        return try await withTaskCancellationHandler {
            await self.endOfDial(id)
        } onCancel: {
            loop.executeLater { self.assumeIsolated { $0.giveUp(id, .cancelled, "the call was cancelled") } }
        }.get()
    }

    /// Suspends until the dial has ended, or the caller gives up. On the loop, so that neither comes before it waits.
    private func endOfDial(_ id: UInt32) async -> Result<ClientConnection, AttemptFailure> {
        await Waiter.suspend { waiter in
            loop.preconditionInLoop()
            waiters[id] = waiter
        }
    }

    private func giveUp(_ id: UInt32, _ code: RPCCode, _ message: String) {
        waiters.removeValue(forKey: id)?.resume(.failure(AttemptFailure(RPCError(code, message), wasNotStarted: true)))
    }

    /// Closes all connections; open calls fail.
    func close() async {
        isClosed = true
        dialling?.cancel()
        await dialling?.value
        for connection in connections { await connection.close() }
    }

    private func dial() async {
        do {
            let (descriptor, address) = try await connectToAny()
            let socket = try await secured(descriptor)
            let connection = ClientConnection(loop: loop, address: address, limits: limits) { [weak self] closed in
                self?.assumeIsolated { $0.lost(closed) }
            }
            await connection.start(socket, agent: agent)
            connections.append(connection)
            backoff.reset()
            retryTime = nil
            finishDialling(.success(connection))
        } catch {
            lastError = "\(target) can't be reached: \(error)"
            var random = SystemRandomNumberGenerator()
            retryTime = .now + backoff.next(using: &random)
            finishDialling(.failure(unavailable(lastError)))
        }
    }

    /// With TLS on it, if that is what the target speaks.
    private func secured(_ descriptor: Int32) async throws -> ConnectedSocket {
        guard let tls else { return ConnectedSocket(Socket(owning: descriptor)) }
        let handshake = Handshake(.client, loop: loop, limit: limits.handshakeTime)
        return try await handshake.run(
            ConnectedSocket(Socket(owning: descriptor), tls, with: target.host))
    }

    /// Tries all addresses of the target in order.
    private func connectToAny() async throws -> (Int32, SocketAddress) {
        let target = target
        let addresses = try await resolver.run { try target.resolve() }
        var failure = SystemError(call: "getaddrinfo", code: 113, subject: target.host)
        for address in addresses {
            do {
                let dialer = Dialer(loop: loop, address: address)
                return (try await dialer.connect(timeout: Self.connectTimeout), address)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func finishDialling(_ result: Result<ClientConnection, AttemptFailure>) {
        dialling = nil
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values { waiter.resume(result) }
    }

    private func lost(_ closed: ClientConnection) {
        connections.removeAll { $0 === closed }
    }

    private func refusal(by connection: ClientConnection) async -> AttemptFailure {
        let error = await connection.end
        return AttemptFailure(error ?? RPCError(.unavailable, "\(target) takes no new calls"), wasNotStarted: true)
    }

    private func unavailable(_ message: String) -> AttemptFailure {
        AttemptFailure(RPCError(.unavailable, message), wasNotStarted: true)
    }
}

extension Channel: TimerOwner {
    /// A caller's deadline passed before there was a connection.
    nonisolated func timerFired(_ tag: UInt32) {
        assumeIsolated { channel in
            channel.giveUp(tag, .deadlineExceeded, "\(channel.target) was not connected before the deadline")
        }
    }
}
