package import Budgets
package import EventLoops
import Synchronization
package import TLS
import Wire

/// Answers calls on any number of listening sockets.
package final class Server: Sendable {
    package let router: Router
    package let limits: Limits
    let hello: Hello
    let maximumTimeoutNanoseconds: UInt64
    private let group: EventLoopGroup
    private let tls: TLSContext?
    let interceptors: [any ServerInterceptor]
    private let state = Mutex(State())
    private let unaryInFlight = Atomic<Int>(0)
    /// The memory that clients may make it hold.
    package let memory: MemoryBudget
    /// How far a client is trusted that has not proved who it is.
    let newcomers: ClientStanding
    private let streams: ClientCounter
    private let connections: ClientCounter
    private let handshakes: ClientCounter

    /// Memory of a connection that is idle, in bytes; TLS keeps some more.
    private static let connectionBytes = 16 << 10
    private static let sessionBytes = 40 << 10

    private struct State {
        var listeners: [Listener] = []
        var connections: [ObjectIdentifier: ServerConnection] = [:]
        var handshakes: [ObjectIdentifier: Handshake] = [:]
        var isDraining = false
        var drained: Waiter<Void>?

        var isEmpty: Bool { connections.isEmpty && handshakes.isEmpty }
    }

    /// `agent` is the server's name in its hello. With `tls`, no client is let in without it.
    /// - Parameters:
    ///   - memory: the memory that clients may make it hold.
    ///   - newcomers: how far a client is trusted that has not proved who it is.
    ///   - data: which data it answers from, for clients that know several servers by one name; "" for none.
    package init(
        _ router: Router, group: EventLoopGroup, interceptors: [any ServerInterceptor] = [], limits: Limits = Limits(),
        tls: TLSContext? = nil, memory: MemoryBudget = MemoryBudget(bytes: 1 << 30),
        newcomers: ClientStanding = .known, agent: String, data: String = ""
    ) {
        self.memory = memory
        self.newcomers = newcomers
        streams = ClientCounter(limit: limits.streams)
        connections = ClientCounter(limit: limits.connections)
        handshakes = ClientCounter(limit: limits.handshakes)
        self.router = router
        self.group = group
        self.interceptors = interceptors
        self.limits = limits
        self.tls = tls
        maximumTimeoutNanoseconds = limits.maximumTimeout.clampedNanoseconds
        hello = Hello(
            agent: agent, maximumPayloadBytes: UInt32(clamping: limits.frameBytes),
            maximumCalls: UInt32(clamping: limits.callsPerConnection),
            streamCredit: UInt32(clamping: WindowBudget(limits).least), data: data)
    }

    /// How many connections are open.
    package var connectionCount: Int { state.withLock { $0.connections.count } }

    /// How many handlers run.
    package var callsInFlight: Int {
        unaryInFlight.load(ordering: .relaxed) + streams.count
    }

    /// Starts listening; returns the address with the port that was chosen.
    package func listen(on address: SocketAddress) async throws(SystemError) -> SocketAddress {
        let listener = try Listener(on: address, loop: group.loops[0]) { [self] client in hand(client) }
        state.withLock { $0.listeners.append(listener) }
        await listener.start()
        return listener.address
    }

    /// Stops listening, sends all clients elsewhere, and waits for open calls to end. Calls that still run after
    /// `grace` are cancelled. Returns when the last connection is closed.
    ///
    /// A client that reads its last answers slowly has a few seconds more.
    package func shutDown(grace: Duration) async {
        let (listeners, connections, handshakes) = state.withLock { state in
            defer { (state.isDraining, state.listeners) = (true, []) }
            return (state.listeners, Array(state.connections.values), Array(state.handshakes.values))
        }
        for listener in listeners { await listener.close() }
        for handshake in handshakes { await handshake.stop() }
        for connection in connections { await connection.drain() }
        async let _: Void = abortConnections(after: grace)
        await waitUntilEmpty()
    }

    private func abortConnections(after grace: Duration) async {
        do {
            try await Task.sleep(for: grace)
        } catch {
            return  // All connections ended before.
        }
        for connection in state.withLock({ Array($0.connections.values) }) { await connection.abort() }
    }

    private func waitUntilEmpty() async {
        await Waiter<Void>.suspend { waiter in
            let isEmpty = state.withLock { state in
                if state.isEmpty { return true }
                state.drained = waiter
                return false
            }
            if isEmpty { waiter.resume() }
        }
    }

    // MARK: for listeners and connections

    /// Assigns a new client to the loops in turn.
    private func hand(_ client: consuming Socket) {
        let key = client.peerAddress?.host.map { ClientKey($0) } ?? .unknown
        if let tls { return shakeHands(client, tls, key) }
        let descriptor = client.release()
        let loop = group.loops[group.nextIndex()]
        loop.execute { self.begin(ConnectedSocket(Socket(owning: descriptor)), on: loop, key) }
    }

    /// Begins a connection on its loop, and sends goaway at once when there is a reason to. The socket is closed when
    /// there are too many, of all clients or of this one, when there is no memory for it, or when the server stops.
    func begin(
        _ socket: consuming ConnectedSocket, on loop: EventLoop, _ client: ClientKey, refusing reason: String? = nil
    ) {
        var memory = TransportMemory(
            connection: MemoryAccount(memory, client, newcomers, .connections),
            input: MemoryAccount(memory, client, newcomers, .calls),
            output: MemoryAccount(memory, client, newcomers, .answers))
        guard memory.connection.hold(Self.connectionBytes + (tls == nil ? 0 : Self.sessionBytes)),
            let connection = newConnection(on: loop, client)
        else { return }
        var owned: ConnectedSocket? = consume socket
        var paid: TransportMemory? = consume memory
        connection.onLoop { connection in
            guard let socket = owned.take(), let memory = paid.take() else { return }
            connection.start(socket, memory, refusing: reason)
        }
    }

    private func newConnection(on loop: EventLoop, _ client: ClientKey) -> ServerConnection? {
        guard connections.open(client) else { return nil }
        let connection = state.withLock { state -> ServerConnection? in
            guard !state.isDraining else { return nil }
            let connection = ServerConnection(loop: loop, server: self, client: client)
            state.connections[ObjectIdentifier(connection)] = connection
            return connection
        }
        if connection == nil { connections.close(client) }
        return connection
    }

    /// Nil when there are too many, when there is no memory for one, or when the server is stopping.
    func newHandshake(_ client: ClientKey) -> Handshake? {
        var memory = MemoryAccount(memory, client, newcomers, .connections)
        guard memory.hold(Self.connectionBytes + Self.sessionBytes + TLSSession.handshakeBytes),
            handshakes.open(client)
        else { return nil }
        let loop = group.loops[group.nextIndex()]
        let handshake = Handshake(.server, loop: loop, limit: limits.handshakeTime, memory: memory)
        let isTaken = state.withLock { state in
            if !state.isDraining { state.handshakes[ObjectIdentifier(handshake)] = handshake }
            return !state.isDraining
        }
        if !isTaken { handshakes.close(client) }
        return isTaken ? handshake : nil
    }

    func ended(_ handshake: Handshake, of client: ClientKey) {
        handshakes.close(client)
        forget { $0.handshakes[ObjectIdentifier(handshake)] = nil }
    }

    func closed(_ connection: ServerConnection, _ reason: String?) {
        connections.close(connection.client)
        forget { $0.connections[ObjectIdentifier(connection)] = nil }
    }

    private func forget(_ change: (inout State) -> Void) {
        let drained: Waiter<Void>? = state.withLock { state in
            change(&state)
            return state.isEmpty ? state.drained.take() : nil
        }
        drained?.resume()
    }

    /// Checks a call before it starts. Each call that was admitted is reported once by `taskEnded`.
    func admit(_ context: inout CallContext) throws(RPCError) {
        context.standing = newcomers
        let isUnary = context.method.kind == .unary
        let running = isUnary ? unaryInFlight.wrappingAdd(1, ordering: .relaxed).oldValue : 0
        do throws(RPCError) {
            if running >= limits.callsInFlight { throw full("\(limits.callsInFlight) calls are being worked on") }
            for interceptor in interceptors { try interceptor.admit(&context) }
            // Streams may idle for hours: they are counted separately, so that they can't keep all other calls out, and
            // by client, so that one client can't keep out the streams of others.
            guard isUnary || streams.open(context.client, context.standing) else {
                throw full("\(streams.count) streams are open")
            }
        } catch {
            finished(context, error, at: .now)
            if isUnary { unaryInFlight.wrappingSubtract(1, ordering: .relaxed) }
            throw error
        }
    }

    /// A call that was admitted is not started.
    func refused(_ context: CallContext, _ error: RPCError) {
        finished(context, error, at: .now)
        taskEnded(context)
    }

    private func full(_ reason: String) -> RPCError {
        RPCError(.resourceExhausted, "\(reason), more are not taken", details: StatusDetails(retryAfterMs: 100))
    }

    func taskEnded(_ context: CallContext) {
        if context.method.kind == .unary {
            unaryInFlight.wrappingSubtract(1, ordering: .relaxed)
        } else {
            streams.close(context.client)
        }
    }

    func finished(_ context: CallContext, _ error: RPCError?, at now: MonotonicTime) {
        guard !interceptors.isEmpty else { return }
        let nanoseconds = now.nanoseconds(since: context.start)
        for interceptor in interceptors { interceptor.finished(context, error, nanoseconds: nanoseconds) }
    }
}
