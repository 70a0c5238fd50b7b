import EventLoops

/// Receives the messages of a stream as they arrive. Called on the connection's loop.
protocol StreamReceiver: AnyObject, Sendable {
    /// The sender may send `window` bytes. `grant` gives it more.
    func open(window: Int, grant: @escaping (Int) -> Void)
    /// One packed message, valid during the call only. Throws when the call can't continue.
    func receive(_ payload: UnsafeRawBufferPointer) throws(RPCError)
    /// Nothing more comes; `error` is nil when the stream ended well.
    func end(_ error: RPCError?)
}

/// Collects the messages of a stream until they are read. Its size is bounded by the credit given to the sender.
///
/// `@unchecked Sendable`: it is touched on its connection's loop only, by the connection and by the stream's reader,
/// an actor that is pinned to that loop.
@safe
final class MessageInbox<Message: Sendable>: StreamReceiver, @unchecked Sendable {
    typealias Decode = (UnsafeRawBufferPointer) throws(RPCError) -> Message

    private let decode: Decode
    private var messages: [(message: Message, cost: Int)] = []
    private var next = 0
    private var outcome: Result<Void, RPCError>?
    private var waiter: Waiter<Void>?
    /// Bytes that the sender may still send. The last message may exceed it.
    private var credit = 0
    /// The sender's total credit while nothing is read.
    private var window = 0
    /// Bytes that were read but not granted again yet.
    private var unacknowledged = 0
    private var grant: ((Int) -> Void)?

    init(_ decode: @escaping Decode) { unsafe self.decode = decode }

    func open(window: Int, grant: @escaping (Int) -> Void) {
        self.window = window
        self.grant = grant
        credit = max(1, window)
    }

    func receive(_ payload: UnsafeRawBufferPointer) throws(RPCError) {
        guard credit > 0 else { throw RPCError(.resourceExhausted, "more was sent than the stream's credit allows") }
        let cost = SendWindow.cost(payload.count)
        credit -= cost
        messages.append((try unsafe decode(payload), cost))
        wake()
    }

    func end(_ error: RPCError?) {
        if outcome == nil { outcome = error.map { .failure($0) } ?? .success(()) }
        grant = nil
        wake()
    }

    /// What there is to read.
    enum Reading { case message(Message), end(RPCError?), nothingYet }

    /// Takes the next message, and returns its room to the sender.
    func read() -> Reading {
        guard next < messages.count else { return atEnd }
        let (message, cost) = messages[next]
        next += 1
        forgetRead()
        acknowledge(cost)
        return .message(message)
    }

    /// Frees what was read: at once when nothing else is queued, else in large pieces, since a reader that is always a
    /// little behind must not keep the whole stream in memory.
    private func forgetRead() {
        if next == messages.count {
            messages.removeAll(keepingCapacity: true)
        } else if next >= 64, next >= messages.count / 2 {
            messages.removeFirst(next)
        } else {
            return
        }
        next = 0
    }

    private var atEnd: Reading {
        switch outcome {
        case nil: .nothingYet
        case .success: .end(nil)
        case .failure(let error): .end(error)
        }
    }

    /// Returns the room in halves of the window, so that most messages cost no extra frame.
    private func acknowledge(_ cost: Int) {
        unacknowledged += cost
        guard let grant, unacknowledged >= window / 2 else { return }
        credit += unacknowledged
        grant(unacknowledged)
        unacknowledged = 0
    }

    /// Suspends until there may be something to read; when the reading task is cancelled, `onCancel` has to wake it.
    func suspended(
        on loop: EventLoop, isolation: isolated (any Actor)? = #isolation, onCancel: @Sendable () -> Void
    ) async {
        await withTaskCancellationHandler {
            // A closure that does not capture it would run elsewhere.
            _ = isolation
            await Waiter<Void>.suspend { waiter in
                loop.preconditionInLoop()
                precondition(self.waiter == nil, "two tasks read one stream")
                // A task that does not prefer the loop may have let others run since it checked.
                if next < messages.count || outcome != nil { waiter.resume() } else { self.waiter = waiter }
            }
        } onCancel: {
            onCancel()
        }
    }

    /// Lets the reader check again.
    func wake() { waiter.take()?.resume() }
}
