import EventLoops
import TLS

extension ConnectionPool {
    private static let connectTimeout: Duration = .seconds(3)
    private static let helloTimeout: Duration = .seconds(3)

    /// Dials the addresses without a connection whose retry time has come; also ejected and leaving ones when a call
    /// waits.
    func dialMissing(mayWait: Bool) {
        let now = loop.now
        nextDial = .distantFuture
        for (slot, link) in links.all where !link.isLeaving && link.dialling == nil {
            guard mayWait ? link.state == .down : link.isEmpty else { continue }
            let ejected = mayWait ? nil : links.ejectionEnd(slot)
            let time = max(link.retryTime, ejected ?? link.retryTime)
            if time <= now { dial(slot, link) } else { nextDial = min(nextDial, time) }
        }
    }

    /// Dials one more connection.
    func dial(_ slot: Balancer.Slot, _ link: Link) {
        guard !isClosed else { return }
        let address = link.address
        link.dialling = Task(executorPreference: loop) { await self.connect(slot, address) }
    }

    private func connect(_ slot: Balancer.Slot, _ address: SocketAddress) async {
        do {
            let descriptor = try await Dialer(loop: loop, address: address).connect(timeout: Self.connectTimeout)
            let socket = try await secured(descriptor)
            await addConnection(slot)?.start(socket, agent: agent)
            started(slot)
        } catch {
            // The address keeps its slot while it is dialled.
            if links[slot] != nil { failed(slot, "\(error)") }
        }
        links[slot]?.dialling = nil
        links.forgetIfGone(slot, at: loop.now)
        wake()
    }

    /// Adds TLS, if the target speaks it.
    private func secured(_ descriptor: Int32) async throws -> ConnectedSocket {
        guard let tls else { return ConnectedSocket(Socket(owning: descriptor)) }
        let handshake = Handshake(.client, loop: loop, limit: limits.handshakeTime)
        return try await handshake.run(ConnectedSocket(Socket(owning: descriptor), tls, with: target.hosts.first ?? ""))
    }

    private func addConnection(_ slot: Balancer.Slot) -> ClientConnection? {
        guard let link = links[slot] else { return nil }
        let connection = ClientConnection(
            loop: loop, address: link.address, callee: callee, limits: limits,
            onHello: { [weak self] connection in self?.onLoop { $0.greeted(slot, connection) } },
            onClose: { [weak self] connection in self?.onLoop { $0.lost(slot, connection) } })
        let timer = loop.setTimer(loop.now + Self.helloTimeout, owner: HelloTimer(connection), tag: 0)
        link.add(connection, helloTimer: timer)
        return connection
    }

    private func started(_ slot: Balancer.Slot) {
        guard let link = links[slot] else { return }
        if isClosed || link.isLeaving {
            for connection in link.connections { connection.onLoop { $0.retire() } }
        }
        links.changed(slot, at: loop.now)
    }

    private func greeted(_ slot: Balancer.Slot, _ connection: ClientConnection) {
        guard let link = links[slot] else { return }
        if let timer = link.greeted(connection) { loop.cancelTimer(timer) }
        compareData()
        links.changed(slot, at: loop.now)
        wake()
    }

    private func lost(_ slot: Balancer.Slot, _ connection: ClientConnection) {
        guard let link = links[slot] else { return }
        if let timer = link.remove(connection) {
            loop.cancelTimer(timer)
            let reason = connection.onLoop { $0.end } ?? ""
            failed(slot, "no hello came before the connection was closed. \(reason)")
        } else if let end = connection.onLoop({ $0.hasAnswered ? nil : $0.end }) {
            // The server gave its reason for taking no calls before it took any: it will give the same again.
            failed(slot, end)
        }
        compareData()
        links.changed(slot, at: loop.now)
        nextDial = loop.now
        if !isClosed { resolution.hurry() }
        links.forgetIfGone(slot, at: loop.now)
        wake()
    }

    private func failed(_ slot: Balancer.Slot, _ reason: String) {
        lastError = "\(target) can't be reached: \(reason)"
        links.failed(slot, at: loop.now, using: &random)
        nextDial = loop.now
        if !isClosed { resolution.hurry() }
    }
}

/// Closes a connection whose server sends no hello.
private final class HelloTimer: TimerOwner {
    private let connection: ClientConnection

    init(_ connection: ClientConnection) { self.connection = connection }

    func timerFired(_ tag: UInt32) { connection.onLoop { $0.close("the server said no hello") } }
}
