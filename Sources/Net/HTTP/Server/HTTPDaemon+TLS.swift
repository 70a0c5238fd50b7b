import Budgets
import EventLoops
import TLS

// MARK: clients that speak TLS

extension HTTPDaemon {
    /// How long clients may take for the last bytes when the server stops.
    private static let lastWords: Duration = .seconds(2)

    /// The socket that libmicrohttpd is to have for a client: its own, or one behind a relay that speaks TLS with it.
    /// Nil when there are no descriptors left, or no memory for a handshake.
    func way(
        from client: consuming Socket, _ key: ClientKey, _ standing: ClientStanding
    ) -> (descriptor: Int32, relay: TLSRelay?)? {
        guard let tls = server.tls else { return (client.release(), nil) }
        var memory = MemoryAccount(server.memory, key, standing, .connections)
        guard memory.hold(TLSRelay.maximumBytes) else { return nil }
        do {
            let ends = try Socket.pair()
            let inner = Socket(owning: ends.first)
            let socket = Socket(owning: ends.second)
            let relay = try TLSRelay(client, inner, try tls.session(), loop: loop, memory: memory)
            return (socket.release(), relay)
        } catch {
            return nil
        }
    }

    /// libmicrohttpd is done with a connection. It counts until its client has everything.
    func leave(_ id: UInt64, _ connection: HTTPConnection) {
        guard let relay = connection.relay, !relay.isOver else { return server.clients.close(connection.client) }
        leaving[id] = connection
        // As much as the two sockets hold between them, as the kernel counts it.
        relay.leave(until: deadline(for: 256 << 10)) { [self] in onLoop { $0.relayHasLeft(id) } }
    }

    private func relayHasLeft(_ id: UInt64) {
        guard let connection = leaving.removeValue(forKey: id) else { return }
        server.clients.close(connection.client)
        guard leaving.isEmpty else { return }
        left.take()?.resume()
    }

    /// Returns when all clients have what was on its way to them, or have had their time.
    func relaysLeave() async {
        guard !leaving.isEmpty else { return }
        for connection in leaving.values { connection.relay?.hurry(until: loop.now + Self.lastWords) }
        await Waiter<Void>.suspend { left = $0 }
    }
}
