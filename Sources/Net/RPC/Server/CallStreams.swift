import EventLoops
import Synchronization
package import Wire

/// Kept for a streaming call, besides what is kept for every call.
///
/// `@unchecked Sendable`: it is touched on its connection's loop only.
final class CallStreams: @unchecked Sendable {
    /// How much of the answers the client accepts; nil when there is one answer.
    let answers: SendWindow?
    /// Receives the client's requests; nil when there is one request.
    let requests: (any StreamReceiver)?
    /// Bytes of requests that the client may send ahead.
    let requestWindow: Int

    init(answers: SendWindow?, requests: (any StreamReceiver)?, requestWindow: Int) {
        self.answers = answers
        self.requests = requests
        self.requestWindow = requestWindow
    }

    /// The call is over: notifies the handler, wherever it waits.
    func end(_ reason: String) {
        answers?.end()
        requests?.end(RPCError(.cancelled, reason))
    }
}

/// The requests of a call whose client sends a stream, in order. Reading them gives the client room for more. To be
/// read once, by one task. Ends when the client has no more requests; throws when the call is over before that.
package struct RequestStream<Message: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Message
    package typealias Failure = RPCError

    private let reader: any RequestReading<Message>

    init(_ inbox: MessageInbox<Message>, loop: EventLoop) { reader = RequestReader(inbox, loop: loop) }

    init(_ source: any RequestSource, _ decode: @escaping @Sendable ([UInt8]) throws(RPCError) -> Message) {
        reader = SourceReader(source: source, decode: decode)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: any RequestReading<Message>

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Message? {
            try await reader.next()
        }

        package func next() async throws(RPCError) -> Message? { try await reader.next() }
    }
}

/// Gives the requests of a call that did not come over one of our connections. Read once, by one task.
package protocol RequestSource: Sendable {
    /// The next packed request; nil when the client has no more. Throws when the call is over before that.
    func next() async throws(RPCError) -> [UInt8]?
}

private protocol RequestReading<Message>: Sendable {
    associatedtype Message: Sendable
    func next() async throws(RPCError) -> Message?
}

private struct SourceReader<Message: Sendable>: RequestReading {
    let source: any RequestSource
    let decode: @Sendable ([UInt8]) throws(RPCError) -> Message

    func next() async throws(RPCError) -> Message? { try await source.next().map(decode) }
}

/// Reads one stream on the loop of its connection.
private actor RequestReader<Message: Sendable>: RequestReading {
    private let inbox: MessageInbox<Message>
    private let loop: EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(_ inbox: MessageInbox<Message>, loop: EventLoop) {
        self.inbox = inbox
        self.loop = loop
    }

    func next() async throws(RPCError) -> Message? {
        while true {
            switch inbox.read() {
            case .message(let message): return message
            case .end(let error):
                if let error { throw error }
                return nil
            case .nothingYet:
                if Task.isCancelled { throw RPCError(.cancelled, "the reading task was cancelled") }
                let (loop, inbox) = (loop, inbox)
                await inbox.suspended(on: loop) { loop.executeLater { inbox.wake() } }
            }
        }
    }
}

/// Sends the answers of a streaming handler.
package struct ResponseWriter<Message: WireMessage>: Sendable {
    private let sink: any AnswerSink

    package init(_ sink: any AnswerSink) { self.sink = sink }

    /// Sends one message as soon as the reader has room for it. Throws when the call is over.
    package func write(_ message: Message) async throws { try await sink.write(message) }

    /// Sends one message that is packed already.
    package func write(packed bytes: [UInt8]) async throws { try await sink.write(packed: bytes) }
}

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

/// Takes the one answer of a call.
package final class SingleAnswer: AnswerSink {
    private let answer = Mutex<[UInt8]>([])

    package init() {}

    package var bytes: [UInt8] { answer.withLock { $0 } }

    package func write(packed bytes: [UInt8]) async throws { answer.withLock { $0 = bytes } }
}
