import EventLoops

/// A loop's own connection to one target, made when it is needed and again when it is lost.
actor Channel {
    nonisolated let loop: EventLoop
    private let target: Endpoint
    private let agent: String
    private let limits: Limits
    private let resolver: BlockingPool
    private var connection: ClientConnection?
    private var waiters: [UInt32: Waiter<Result<ClientConnection, AttemptFailure>>] = [:]
    private var nextWaiter: UInt32 = 1
    private var dialling: Task<Void, Never>?
    private var backoff = Backoff()
    private var retryTime: MonotonicTime?
    private var lastError = ""
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private static let connectTimeout: Duration = .seconds(3)

    init(loop: EventLoop, target: Endpoint, agent: String, limits: Limits, resolver: BlockingPool) {
        self.loop = loop
        self.target = target
        self.agent = agent
        self.limits = limits
        self.resolver = resolver
    }

    /// A connection that takes calls. Fails at once while the last failure to connect is fresh.
    func connected(_ deadline: MonotonicTime) async throws(AttemptFailure) -> ClientConnection {
        if let connection, await connection.acceptsCalls { return connection }
        if isClosed { throw unavailable("the client is closed") }
        if let retryTime, loop.now < retryTime, dialling == nil { throw unavailable(lastError) }
        if dialling == nil { dialling = Task(executorPreference: loop) { await self.dial() } }
        let id = nextWaiter
        nextWaiter &+= 1
        let timer = loop.setTimer(deadline, owner: self, tag: id)
        defer { loop.cancelTimer(timer) }
        return try await Waiter.suspend { waiters[id] = $0 }.get()
    }

    /// Closes the connection; open calls fail.
    func close() async {
        isClosed = true
        dialling?.cancel()
        await dialling?.value
        await connection?.close()
        connection = nil
    }

    private func dial() async {
        do {
            let (descriptor, address) = try await connectToAny()
            let connection = ClientConnection(loop: loop, address: address, limits: limits) { [weak self] closed, _ in
                self?.assumeIsolated { $0.lost(closed) }
            }
            await connection.start(descriptor, agent: agent)
            self.connection = connection
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
        if connection === closed { connection = nil }
    }

    private func unavailable(_ message: String) -> AttemptFailure {
        AttemptFailure(RPCError(.unavailable, message), wasNotStarted: true)
    }
}

extension Channel: TimerOwner {
    /// A caller's deadline passed before there was a connection.
    nonisolated func timerFired(_ tag: UInt32) {
        assumeIsolated { channel in
            let waiter = channel.waiters.removeValue(forKey: tag)
            let error = RPCError(.deadlineExceeded, "\(channel.target) was not connected before the deadline")
            waiter?.resume(.failure(AttemptFailure(error)))
        }
    }
}
