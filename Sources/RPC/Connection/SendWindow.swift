import EventLoops

/// What may still be sent in one stream: the credit that its reader has given.
///
/// `@unchecked Sendable`: it is touched on its connection's loop only, by the connection and by who writes the stream.
final class SendWindow: @unchecked Sendable {
    /// Below zero after a message that was larger than what was left.
    private var credit: Int64
    private var waiter: Waiter<Void>?
    /// Nothing can be sent any more: the call is over.
    private(set) var isOver = false

    init(credit: UInt32) { self.credit = Int64(credit) }

    /// Whether the reader takes another message.
    var hasCredit: Bool { credit > 0 }

    /// What a message of a stream costs: its payload and its header, so that empty ones are not free.
    static func cost(_ payloadBytes: Int) -> Int { payloadBytes + FrameHeader.byteCount }

    /// A message of so many bytes was sent.
    func charge(_ payloadBytes: Int) { credit -= Int64(Self.cost(payloadBytes)) }

    /// The reader has room for more; past 2³² - 1 bytes it is cut.
    func add(_ bytes: UInt32) {
        credit = min(credit + Int64(bytes), Int64(UInt32.max))
        wake()
    }

    /// The call is over: whoever waits to write is told.
    func end() {
        isOver = true
        wake()
    }

    /// Lets the writer look again.
    func wake() { waiter.take()?.resume() }

    fileprivate func wait(_ waiter: Waiter<Void>) {
        precondition(self.waiter == nil, "two tasks write to one stream")
        self.waiter = waiter
    }
}

extension SendWindow {
    /// Returns when the reader takes another message and not too much is queued for the connection; throws when the
    /// call is over, or when the writing task is cancelled. On the transport's loop.
    func waitForRoom(
        on transport: FrameTransport, isolation: isolated (any Actor)? = #isolation
    ) async throws(RPCError) {
        while true {
            if isOver || Task.isCancelled { throw Self.gone }
            let hasRoom = transport.hasRoom
            if hasCredit, hasRoom { return }
            if !hasRoom { transport.wakeWhenRoom(self) }
            await suspended(transport, isolation)
        }
    }

    private func suspended(_ transport: FrameTransport, _ isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            // A closure that does not mention it would run elsewhere.
            _ = isolation
            await Waiter<Void>.suspend { waiter in
                transport.loop.preconditionInLoop()
                // A task that does not prefer the loop may have let others run since it looked.
                let isReady = isOver || Task.isCancelled || hasCredit && transport.hasRoom
                if isReady { waiter.resume() } else { wait(waiter) }
            }
        } onCancel: { [loop = transport.loop] in
            loop.executeLater { self.wake() }
        }
    }

    /// Nobody reads the stream any more.
    static var gone: RPCError { RPCError(.cancelled, "the stream's reader has gone") }
}
