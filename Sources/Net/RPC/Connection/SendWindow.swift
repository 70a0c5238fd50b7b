import EventLoops

/// How much may still be sent in one stream: the credit that its reader has granted.
///
/// `@unchecked Sendable`: it is touched on its connection's loop only, by the connection and by the stream's writer.
final class SendWindow: @unchecked Sendable {
    /// Below zero after a message that was larger than the rest of the credit.
    private var credit: Int64
    private var waiter: Waiter<Void>?
    /// Since when an answer has waited for credit; nil when none does.
    private(set) var stalled: MonotonicTime?
    /// Nothing more can be sent: the call is over.
    private(set) var isOver = false

    init(credit: UInt32) { self.credit = Int64(credit) }

    /// Whether the reader accepts another message.
    var hasCredit: Bool { credit > 0 }

    /// What a message of a stream costs: its payload and its header, so that empty ones are not free.
    static func cost(_ payloadBytes: Int) -> Int { payloadBytes + FrameHeader.byteCount }

    /// A message of so many bytes was sent.
    func charge(_ payloadBytes: Int) { credit -= Int64(Self.cost(payloadBytes)) }

    /// The reader has room for more; at most 2³² - 1 bytes in all.
    func add(_ bytes: UInt32) {
        credit = min(credit + Int64(bytes), Int64(UInt32.max))
        stalled = nil
        wake()
    }

    /// The call is over: the task that waits to write is woken.
    func end() {
        isOver = true
        wake()
    }

    /// Lets the writer check again.
    func wake() { waiter.take()?.resume() }

    fileprivate func wait(_ waiter: Waiter<Void>) {
        precondition(self.waiter == nil, "two tasks write to one stream")
        self.waiter = waiter
    }
}

extension SendWindow {
    /// Returns when the reader accepts another message and not too much is queued for the connection; throws when the
    /// call is over, or when the writing task is cancelled. To be called on the transport's loop.
    func waitForRoom(
        on transport: FrameTransport, isolation: isolated (any Actor)? = #isolation
    ) async throws(RPCError) {
        while true {
            if isOver || Task.isCancelled { throw Self.gone }
            let hasRoom = transport.hasRoom
            if hasCredit, hasRoom { return }
            if !hasCredit, stalled == nil { stalled = transport.loop.now }
            if !hasRoom { transport.wakeWhenRoom(self) }
            await suspended(transport, isolation)
            transport.forget(self)
        }
    }

    private func suspended(_ transport: FrameTransport, _ isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            // A closure that does not capture it would run elsewhere.
            _ = isolation
            await Waiter<Void>.suspend { waiter in
                transport.loop.preconditionInLoop()
                // A task that does not prefer the loop may have let others run since it checked.
                let isReady = isOver || Task.isCancelled || hasCredit && transport.hasRoom
                if isReady { waiter.resume() } else { wait(waiter) }
            }
        } onCancel: { [loop = transport.loop] in
            loop.executeLater { self.wake() }
        }
    }

    /// The stream's reader has gone.
    static var gone: RPCError { RPCError(.cancelled, "the stream's reader has gone") }

    /// The stream's reader is there, and has taken nothing for so long.
    static func tooSlow(_ patience: Duration) -> RPCError {
        RPCError(.aborted, "the stream was not read for \(patience); begin again from what was read last")
    }
}

/// Divides the memory that a connection has for received streams among them.
///
/// Each stream has its own window, so that a stream that is not read holds up no other. Together they stay below
/// `total`: the more streams are open, the smaller a new one's window, down to `least`, which each is guaranteed.
package struct WindowBudget: Sendable, Equatable {
    /// Bytes for all streams of the connection.
    package let total: Int
    /// Bytes of a stream when few are open.
    package let maximum: Int
    /// Bytes that every stream has.
    package let least: Int
    /// The sum of all open windows, in bytes.
    package private(set) var given = 0

    /// A stream gets at most this share of what is left.
    private static let share = 8
    private static let leastBytes = 16 << 10

    package init(_ limits: Limits) {
        total = limits.connectionCredit
        maximum = limits.streamCredit
        least = min(Self.leastBytes, limits.streamCredit)
    }

    /// The window of a new stream, in bytes.
    package mutating func open() -> Int {
        let window = min(maximum, max(least, (total - given) / Self.share))
        given += window
        return window
    }

    /// A stream is over.
    package mutating func close(_ window: Int) { given -= window }
}
