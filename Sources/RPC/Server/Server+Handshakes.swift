import EventLoops
import TLS

extension Server {
    /// A new client, which has to show in TLS who it is before it is let in.
    func shakeHands(_ client: consuming Socket, _ tls: TLSContext) {
        guard let handshake = newHandshake() else { return }
        let descriptor = client.release()
        Task(executorPreference: handshake.loop) {
            await self.letIn(handshake, descriptor, tls)
            self.ended(handshake)
        }
    }

    private func letIn(_ handshake: Handshake, _ descriptor: Int32, _ tls: TLSContext) async {
        let address = SocketAddress(peerOf: descriptor)
        do throws(ConnectedSocket.Failure) {
            let socket = try await handshake.run(ConnectedSocket(Socket(owning: descriptor), tls))
            await newConnection(on: handshake.loop)?.start(socket)
        } catch {
            // Who looks whether the port is open has nothing to be told, and nobody when the server stops.
            if error == .stopped || error == .neverBegan { return }
            guard error == .tls(.plainText) else { return report(address, "\(error)") }
            report(address, "a client spoke plain text to the TLS port")
            guard let socket = await handshake.takePlain() else { return }
            await newConnection(on: handshake.loop)?.start(socket, refusing: "this port speaks TLS")
        }
    }

    private func report(_ address: SocketAddress?, _ reason: String) {
        for interceptor in interceptors { interceptor.refused(address, reason) }
    }
}
