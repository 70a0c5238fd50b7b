import Budgets
import Glibc

// MARK: connections that go on in HTTP/2

extension HTTPDaemon {
    /// libmicrohttpd has closed its descriptor of a connection that speaks HTTP/2.
    func goOn(_ client: HTTPConnection, _ opening: HTTP2Opening) {
        if isClosing {
            _ = Glibc.close(opening.descriptor)
            return server.clients.close(client.client)
        }
        let id = newID()
        // It goes from one actor of this loop to another, and no thread but the loop's touches it.
        nonisolated(unsafe) let client = client
        let connection = unsafe HTTP2Connection(client, of: self, id: id)
        multiplexed[id] = connection
        let isDraining = isDraining
        connection.onLoop { $0.start(opening, isDraining: isDraining) }
    }

    /// It has ended; what is on its way through TLS still gets there.
    func ended(_ connection: HTTP2Connection) {
        guard multiplexed.removeValue(forKey: connection.id) != nil else { return }
        leave(connection.id, connection.onLoop { $0.client })
        checkDrained()
    }
}
