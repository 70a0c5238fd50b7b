package import Wire

/// Sends the answers of a streaming handler.
package struct ResponseWriter<Message: WireMessage>: Sendable {
    private let sink: any AnswerSink

    init(_ sink: any AnswerSink) { self.sink = sink }

    /// Sends one message as soon as the reader has room for it. Throws when the call is over.
    package func write(_ message: Message) async throws { try await sink.write(message) }

    /// Sends one message that is packed already.
    package func write(packed bytes: [UInt8]) async throws { try await sink.write(packed: bytes) }
}
