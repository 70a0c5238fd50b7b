package import Wire

/// Sends the requests of a stream.
package struct RequestWriter<Message: Sendable>: Sendable {
    private let connection: ClientConnection
    private let call: UInt32

    init(_ connection: ClientConnection, _ call: UInt32) {
        self.connection = connection
        self.call = call
    }

    /// Sends one request that is already packed.
    package func write(packed bytes: [UInt8]) async throws(RPCError) { try await connection.write(call, packed: bytes) }

    /// Ends the stream of requests. A second call does nothing.
    package func finish() async { await connection.finishRequests(call) }

    /// Sends one request as soon as the server has room for it. Throws when the call is over.
    package func write(_ message: Message) async throws(RPCError) where Message: WireMessage {
        try await write(packed: message.packedBytes())
    }
}
