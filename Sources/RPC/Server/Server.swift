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
    private let streamsInFlight = Atomic<Int>(0)

    private struct State {
        var listeners: [Listener] = []
        var connections: [ObjectIdentifier: ServerConnection] = [:]
        var handshakes: [ObjectIdentifier: Handshake] = [:]
        var isDraining = false
        var drained: Waiter<Void>?

        var isEmpty: Bool { connections.isEmpty && handshakes.isEmpty }
    }

    /// `agent` is who the server says it is. With `tls` nobody is let in without it.
    package init(
        _ router: Router, group: EventLoopGroup, interceptors: [any ServerInterceptor] = [], limits: Limits = Limits(),
        tls: TLSContext? = nil, agent: String
    ) {
        self.router = router
        self.group = group
        self.interceptors = interceptors
        self.limits = limits
        self.tls = tls
        maximumTimeoutNanoseconds = limits.maximumTimeout.clampedNanoseconds
        hello = Hello(
            agent: agent, maximumPayloadBytes: UInt32(clamping: limits.frameBytes),
            maximumCalls: UInt32(clamping: limits.callsPerConnection),
            streamCredit: UInt32(clamping: WindowBudget(limits).least))
    }

    /// How many connections are open.
    package var connectionCount: Int { state.withLock { $0.connections.count } }

    /// How many handlers run.
    package var callsInFlight: Int {
        unaryInFlight.load(ordering: .relaxed) + streamsInFlight.load(ordering: .relaxed)
    }

    /// Starts listening; gives the address with the port that was chosen.
    package func listen(on address: SocketAddress) async throws(SystemError) -> SocketAddress {
        let listener = try Listener(on: address, loop: group.loops[0]) { [self] client in hand(client) }
        state.withLock { $0.listeners.append(listener) }
        await listener.start()
        return listener.address
    }

    /// Stops listening, tells all clients to go elsewhere, and waits for open calls to end. What still runs after
    /// `grace` is cancelled. Returns when the last connection is closed.
    ///
    /// Whoever takes a long time to read its last answers has a few seconds more.
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

    /// A new client, for the loops in turn.
    private func hand(_ client: consuming Socket) {
        if let tls { return shakeHands(client, tls) }
        guard let connection = newConnection(on: group.loops[group.nextIndex()]) else { return }
        let descriptor = client.release()
        connection.loop.execute {
            connection.onLoop { $0.start(ConnectedSocket(Socket(owning: descriptor))) }
        }
    }

    /// Nil when there are too many, or when stopping.
    func newConnection(on loop: EventLoop) -> ServerConnection? {
        state.withLock { state in
            guard !state.isDraining, state.connections.count < limits.connections else { return nil }
            let connection = ServerConnection(loop: loop, server: self)
            state.connections[ObjectIdentifier(connection)] = connection
            return connection
        }
    }

    /// Nil when there are too many, or when stopping.
    func newHandshake() -> Handshake? {
        state.withLock { state in
            guard !state.isDraining, state.handshakes.count < limits.handshakes else { return nil }
            let loop = group.loops[group.nextIndex()]
            let handshake = Handshake(.server, loop: loop, limit: limits.handshakeTime)
            state.handshakes[ObjectIdentifier(handshake)] = handshake
            return handshake
        }
    }

    func ended(_ handshake: Handshake) { forget { $0.handshakes[ObjectIdentifier(handshake)] = nil } }

    func closed(_ connection: ServerConnection, _ reason: String?) {
        forget { $0.connections[ObjectIdentifier(connection)] = nil }
    }

    private func forget(_ change: (inout State) -> Void) {
        let drained: Waiter<Void>? = state.withLock { state in
            change(&state)
            return state.isEmpty ? state.drained.take() : nil
        }
        drained?.resume()
    }

    /// Checks a call before it starts. Each call that was admitted is told of once by `taskEnded`.
    func admit(_ context: inout CallContext) throws(RPCError) {
        do throws(RPCError) {
            try count(context.method.kind)
            for interceptor in interceptors { try interceptor.admit(&context) }
        } catch {
            finished(context, error, at: .now)
            taskEnded(context)
            throw error
        }
    }

    /// Streams may idle for hours: they are counted apart, so that they can't keep all other calls out.
    private func count(_ kind: MethodKind) throws(RPCError) {
        if kind == .unary {
            let running = unaryInFlight.wrappingAdd(1, ordering: .relaxed).oldValue
            if running >= limits.callsInFlight { throw full("\(limits.callsInFlight) calls are being worked on") }
        } else {
            let open = streamsInFlight.wrappingAdd(1, ordering: .relaxed).oldValue
            if open >= limits.streams { throw full("\(limits.streams) streams are open") }
        }
    }

    private func full(_ reason: String) -> RPCError {
        RPCError(.resourceExhausted, "\(reason), more are not taken", details: StatusDetails(retryAfterMs: 100))
    }

    func taskEnded(_ context: CallContext) {
        if context.method.kind == .unary {
            unaryInFlight.wrappingSubtract(1, ordering: .relaxed)
        } else {
            streamsInFlight.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    func finished(_ context: CallContext, _ error: RPCError?, at now: MonotonicTime) {
        guard !interceptors.isEmpty else { return }
        let nanoseconds = now.nanoseconds(since: context.start)
        for interceptor in interceptors { interceptor.finished(context, error, nanoseconds: nanoseconds) }
    }
}
