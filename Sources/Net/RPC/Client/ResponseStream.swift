import EventLoops
import Wire

/// The answers of a call that is answered with a stream, in order. Reading them gives the server room for more;
/// dropping the stream cancels the call. To be read once.
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

/// Reads one stream on the loop of its channel. The call starts when it is first read, unless `start` was called
/// before.
///
/// It is retried where a unary call would be, until part of it was read: from then on only the caller knows what is
/// missing.
@safe
actor StreamReader<Message: Sendable> {
    private let channel: Channel
    private let call: Call
    private let deadline: MonotonicTime?
    private let sendsRequests: Bool
    private let isRepeatable: Bool
    private let decode: (UnsafeRawBufferPointer) throws(RPCError) -> Message
    private var pending: PendingStream<Message>
    private var attempts = Attempts()
    private var hasRead = false
    private var started: (slot: Balancer.Slot, connection: ClientConnection, id: UInt32)?
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe channel.loop.asUnownedSerialExecutor() }

    /// `sendsRequests`: the requests are a stream too. `isRepeatable`: retried even when a server has started it.
    init(
        _ channel: Channel, _ call: Call, deadline: MonotonicTime?, sendsRequests: Bool = false,
        isRepeatable: Bool = false,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Message
    ) {
        self.channel = channel
        self.call = call
        self.deadline = deadline
        self.sendsRequests = sendsRequests
        self.isRepeatable = isRepeatable
        unsafe self.decode = { bytes throws(RPCError) in
            do throws(WireError) {
                return try unsafe decode(bytes)
            } catch {
                throw RPCError(.internalError, "a message of the stream does not decode: \(error.message)")
            }
        }
        pending = unsafe PendingStream(MessageInbox(self.decode))
        if sendsRequests { pending.requests = SendWindow(credit: 0) }
    }

    deinit {
        if let started, !isOver { started.connection.cancelLater(started.id) }
    }

    func next() async throws(RPCError) -> Message? {
        while true {
            let (connection, id) = try await start()
            switch pending.inbox.read() {
            case .message(let message):
                report(.answered)
                hasRead = true
                return message
            case .end(nil):
                report(.answered)
                isOver = true
                return nil
            case .end(let error?):
                if let failure = pending.failure { report(failure.outcome) }
                isOver = true
                guard let failure = pending.failure, !hasRead, !sendsRequests else { throw error }
                try await prepareRetry(after: failure)
                (pending, started, isOver) = (unsafe PendingStream(MessageInbox(decode)), nil, false)
            case .nothingYet: await pending.inbox.suspended(on: channel.loop) { connection.cancelLater(id) }
            }
        }
    }

    /// Opens the call.
    func start() async throws(RPCError) -> (ClientConnection, UInt32) {
        while true {
            if let started { return (started.connection, started.id) }
            do throws(AttemptFailure) {
                let (slot, connection, id) = try await channel.open(pending, call, deadline, tried: attempts.tried)
                attempts.sent(to: slot)
                started = (slot, connection, id)
            } catch {
                try await prepareRetry(after: error)
            }
        }
    }

    /// Reports how the stream began, once for each time that it was opened.
    private func report(_ outcome: Balancer.Outcome) {
        guard let slot = started?.slot, !hasRead, !isOver else { return }
        channel.onLoop { $0.began(slot, outcome) }
    }

    /// Returns when the call is to be tried again; otherwise throws its failure.
    private func prepareRetry(after failure: AttemptFailure) async throws(RPCError) {
        attempts = try await channel.nextAttempt(attempts, after: failure, repeatable: isRepeatable, deadline)
    }
}
