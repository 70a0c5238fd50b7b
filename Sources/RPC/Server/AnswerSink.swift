package import Wire

/// Takes the answers of one call: one for a unary call, any number for a stream.
package protocol AnswerSink: Sendable {
    /// Takes one packed message as soon as the reader has room for it. Throws when the reader has gone.
    func write(packed bytes: [UInt8]) async throws
    /// Takes one message.
    func write(_ message: some WireMessage) async throws
}

extension AnswerSink {
    package func write(_ message: some WireMessage) async throws { try await write(packed: message.packedBytes()) }
}

/// Writes to the reader of a stream at the other end of one of our connections.
struct ConnectionSink: AnswerSink {
    let connection: ServerConnection
    let call: UInt32

    func write(_ message: some WireMessage) async throws {
        try await connection.write(call, message)
    }

    func write(packed bytes: [UInt8]) async throws {
        try await connection.write(call, packed: bytes)
    }
}
