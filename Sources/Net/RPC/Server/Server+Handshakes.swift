import Budgets
import EventLoops
import TLS

extension Server {
    /// A new client, which has to prove in TLS who it is before it is let in.
    func shakeHands(_ client: consuming Socket, _ tls: TLSContext, _ key: ClientKey) {
        guard let handshake = newHandshake(key) else { return }
        let descriptor = client.release()
        Task(executorPreference: handshake.loop) {
            await self.letIn(handshake, descriptor, tls, key)
            self.ended(handshake, of: key)
        }
    }

    private func letIn(
        _ handshake: Handshake, _ descriptor: Int32, _ tls: TLSContext, _ key: ClientKey
    ) async {
        let address = SocketAddress(peerOf: descriptor)
        do throws(ConnectedSocket.Failure) {
            let socket = try await handshake.run(ConnectedSocket(Socket(owning: descriptor), tls))
            begin(socket, on: handshake.loop, key)
        } catch {
            // A port check needs no answer, and no client is left to answer when the server stops.
            if error == .stopped || error == .neverBegan { return }
            guard error == .tls(.plainText) else { return report(address, "\(error)") }
            report(address, "a client spoke plain text to the TLS port")
            guard let socket = await handshake.takePlain() else { return }
            begin(socket, on: handshake.loop, key, refusing: "this port speaks TLS")
        }
    }

    private func report(_ address: SocketAddress?, _ reason: String) {
        for interceptor in interceptors { interceptor.refused(address, reason) }
    }
}
