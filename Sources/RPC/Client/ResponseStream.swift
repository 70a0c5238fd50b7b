import EventLoops
import Wire

/// The answers of a server-streaming call, in order. Reading them gives the server room for more; giving the stream
/// up cancels the call. To be read once.
@safe
package struct ResponseStream<Message: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Message
    package typealias Failure = RPCError

    let channel: Channel
    let call: Call
    let deadline: MonotonicTime?
    let creditBytes: Int
    let decode: @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Message

    package func makeAsyncIterator() -> Iterator {
        Iterator(reader: StreamReader(self))
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: StreamReader<Message>

        package func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Message? {
            try await reader.next()
        }

        package func next() async throws(RPCError) -> Message? { try await reader.next() }
    }
}

/// Reads one stream on the loop of its channel.
private actor StreamReader<Message: Sendable> {
    private let channel: Channel
    private let call: Call
    private let deadline: MonotonicTime?
    private let creditBytes: Int
    private let pending: PendingStream<Message>
    private var open: (connection: ClientConnection, id: UInt32)?
    private var unacknowledged = 0
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe channel.loop.asUnownedSerialExecutor() }

    init(_ stream: ResponseStream<Message>) {
        channel = stream.channel
        call = stream.call
        deadline = stream.deadline
        creditBytes = stream.creditBytes
        pending = unsafe PendingStream(credit: max(1, stream.creditBytes), stream.decode)
    }

    deinit {
        if let open, !isOver { open.connection.cancelLater(open.id) }
    }

    func next() async throws(RPCError) -> Message? {
        let (connection, id) = try await start()
        while true {
            switch pending.read() {
            case .message(let message, let cost):
                await acknowledge(cost, connection, id)
                return message
            case .end(let error):
                isOver = true
                if let error { throw error }
                return nil
            case .nothingYet: await waitForMore(connection, id)
            }
        }
    }

    private func start() async throws(RPCError) -> (ClientConnection, UInt32) {
        if let open { return open }
        do throws(AttemptFailure) {
            let opened = try await openSomewhere()
            open = opened
            return opened
        } catch {
            throw error.error
        }
    }

    private func openSomewhere() async throws(AttemptFailure) -> (connection: ClientConnection, id: UInt32) {
        for _ in 0..<Channel.mostConnections {
            let connection = try await channel.connected(deadline ?? .now + .seconds(10))
            if let id = try await opened(connection) { return (connection, id) }
        }
        throw await channel.full
    }

    /// Opens the call on a connection; nil when that is full.
    private func opened(_ connection: ClientConnection) async throws(AttemptFailure) -> UInt32? {
        do {
            return try await connection.open(pending, call, deadline: deadline)
        } catch  where error.isFull {
            return nil
        }
    }

    private func waitForMore(_ connection: ClientConnection, _ id: UInt32) async {
        await withTaskCancellationHandler {
            await self.wake()
        } onCancel: {
            connection.cancelLater(id)
        }
    }

    /// Suspends until something has come. On the loop, so that nothing comes between looking and waiting.
    private func wake() async {
        await Waiter.suspend { waiter in
            channel.loop.preconditionInLoop()
            pending.wait(waiter)
        }
    }

    /// Gives the room back in halves of the window, so that most messages cost no frame of their own.
    private func acknowledge(_ cost: Int, _ connection: ClientConnection, _ id: UInt32) async {
        unacknowledged += cost
        guard unacknowledged >= creditBytes / 2 else { return }
        pending.grant(unacknowledged)
        await connection.grant(id, unacknowledged)
        unacknowledged = 0
    }
}
