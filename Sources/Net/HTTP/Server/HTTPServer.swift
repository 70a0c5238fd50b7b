package import Budgets
package import EventLoops
import Glibc
import Synchronization
package import TLS

/// Answers HTTP/1.1 on any number of listening sockets, with libmicrohttpd on our loops.
package final class HTTPServer: Sendable {
    package let limits: HTTPLimits
    let responder: any HTTPResponder
    let memory: MemoryBudget
    /// What clients have to speak; nil for plain text.
    let tls: TLSContext?
    let clients: ClientCounter
    private let group: EventLoopGroup
    private let state = Mutex(State())

    private struct State {
        var listeners: [Listener] = []
        /// One per loop, made at the first `listen`.
        var daemons: [HTTPDaemon] = []
        var isDraining = false
    }

    /// - Parameters:
    ///   - memory: the memory that clients may make it hold.
    ///   - tls: what clients have to speak; nil for plain text.
    package init(
        _ responder: any HTTPResponder, group: EventLoopGroup, limits: HTTPLimits = HTTPLimits(),
        memory: MemoryBudget = MemoryBudget(bytes: 1 << 30), tls: TLSContext? = nil
    ) {
        self.tls = tls
        self.responder = responder
        self.memory = memory
        clients = ClientCounter(limit: limits.connections)
        self.group = group
        self.limits = limits
    }

    /// Starts listening; returns the address with the port that was chosen.
    package func listen(on address: SocketAddress) async throws(SystemError) -> SocketAddress {
        // libmicrohttpd writes to sockets whose peers may be gone.
        signal(SIGPIPE, SIG_IGN)
        let listener = try Listener(on: address, loop: group.loops[0]) { [self] client in hand(client) }
        let share = max(1, limits.connections / group.loops.count)
        let daemons = group.loops.map { HTTPDaemon(loop: $0, server: self, connections: share) }
        for daemon in daemons { try await daemon.start() }
        state.withLock { state in
            state.listeners.append(listener)
            state.daemons += daemons
        }
        await listener.start()
        return listener.address
    }

    /// Stops listening, ends streams, and waits for requests that are being answered, at most for `grace`.
    package func shutDown(grace: Duration) async {
        let (listeners, daemons) = state.withLock { state in
            state.isDraining = true
            defer { (state.listeners, state.daemons) = ([], []) }
            return (state.listeners, state.daemons)
        }
        for listener in listeners { await listener.close() }
        await withDiscardingTaskGroup { group in
            for daemon in daemons { group.addTask { await daemon.shutDown(grace: grace) } }
        }
    }

    /// Assigns a new client to the loops in turn.
    private func hand(_ client: consuming Socket) {
        let daemon = state.withLock { state -> HTTPDaemon? in
            state.isDraining || state.daemons.isEmpty ? nil : state.daemons[group.nextIndex() % state.daemons.count]
        }
        guard let daemon else { return }
        let descriptor = client.release()
        daemon.loop.execute { daemon.onLoop { $0.take(Socket(owning: descriptor)) } }
    }

    /// One per loop.
    var daemons: [HTTPDaemon] { state.withLock { $0.daemons } }
}
