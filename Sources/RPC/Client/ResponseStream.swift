import EventLoops
import Wire

/// The answers of a call that is answered with a stream, in order. Reading them gives the server room for more; giving
/// the stream up cancels the call. To be read once.
package struct ResponseStream<Message: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Message
    package typealias Failure = RPCError

    let makeReader: @Sendable () -> StreamReader<Message>

    package func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

    package struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: StreamReader<Message>

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Message? {
            try await reader.next()
        }

        package func next() async throws(RPCError) -> Message? { try await reader.next() }
    }
}

/// Reads one stream on the loop of its channel. The call starts when it is first read, unless `start` came before.
actor StreamReader<Message: Sendable> {
    private let channel: Channel
    private let call: Call
    private let deadline: MonotonicTime?
    private let pending: PendingStream<Message>
    private var started: (connection: ClientConnection, id: UInt32)?
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe channel.loop.asUnownedSerialExecutor() }

    /// `sendsRequests`: they are a stream too.
    init(
        _ channel: Channel, _ call: Call, deadline: MonotonicTime?, sendsRequests: Bool = false,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Message
    ) {
        self.channel = channel
        self.call = call
        self.deadline = deadline
        let inbox = unsafe MessageInbox { bytes throws(RPCError) in
            do throws(WireError) {
                return try unsafe decode(bytes)
            } catch {
                throw RPCError(.internalError, "a message of the stream does not decode: \(error.message)")
            }
        }
        pending = PendingStream(inbox)
        if sendsRequests { pending.requests = SendWindow(credit: 0) }
    }

    deinit {
        if let started, !isOver { started.connection.cancelLater(started.id) }
    }

    func next() async throws(RPCError) -> Message? {
        let (connection, id) = try await start()
        while true {
            switch pending.inbox.read() {
            case .message(let message): return message
            case .end(let error):
                isOver = true
                if let error { throw error }
                return nil
            case .nothingYet: await pending.inbox.suspended(on: channel.loop) { connection.cancelLater(id) }
            }
        }
    }

    /// Opens the call.
    func start() async throws(RPCError) -> (ClientConnection, UInt32) {
        if let started { return started }
        do throws(AttemptFailure) {
            let opened = try await channel.open(pending, call, deadline)
            started = opened
            return opened
        } catch {
            throw error.error
        }
    }
}
