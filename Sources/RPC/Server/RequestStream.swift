import EventLoops

/// The requests of a call whose client sends a stream, in order. Reading them gives the client room for more. To be
/// read once, by one task. Ends when the client has no more requests; throws when the call is over before that.
package struct RequestStream<Message: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Message
    package typealias Failure = RPCError

    private let reader: RequestReader<Message>

    init(_ inbox: MessageInbox<Message>, loop: EventLoop) { reader = RequestReader(inbox, loop: loop) }

    package func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: RequestReader<Message>

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Message? {
            try await reader.next()
        }

        package func next() async throws(RPCError) -> Message? { try await reader.next() }
    }
}

/// Reads one stream on the loop of its connection.
private actor RequestReader<Message: Sendable> {
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
