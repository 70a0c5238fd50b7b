import EventLoops
import Wire

/// A call whose answer has not come yet.
///
/// `@unchecked Sendable`: it is touched by its connection and by the reader of its stream only, two actors that are
/// pinned to the same loop, and so never at the same time.
class PendingCall: @unchecked Sendable {
    var timer: TimerToken?
    /// What the server takes of the requests, when they are a stream.
    var requests: SendWindow?
    /// Who takes the answers, when they are a stream.
    var answers: (any StreamReceiver)? { nil }
    /// Bytes of answers that the server may send ahead.
    var answerWindow = 0

    /// A packed message. The bytes are valid during the call only. Gives the reason when the call can't go on: it is
    /// to be cancelled then.
    func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) -> RPCError? { nil }

    /// The call is over; nil when it ended well.
    func ended(_ failure: AttemptFailure?) {}
}

/// Waits for one message.
final class PendingUnary: PendingCall, @unchecked Sendable {
    private var waiter: Waiter<Void>?
    private var outcome: Result<[UInt8], AttemptFailure>?

    /// The packed answer, as soon as it is there. To be asked for once, on the connection's loop; `onCancel` has to see
    /// to it that the call ends when the asking task is cancelled.
    func answer(
        on loop: EventLoop, isolation: isolated (any Actor)? = #isolation, onCancel: @Sendable () -> Void
    ) async throws(AttemptFailure) -> [UInt8] {
        if outcome == nil {
            await withTaskCancellationHandler {
                // A closure that does not mention it would run elsewhere.
                _ = isolation
                await Waiter<Void>.suspend { waiter in
                    // On the loop, so that nothing comes between looking and waiting.
                    loop.preconditionInLoop()
                    self.waiter = waiter
                }
            } onCancel: {
                onCancel()
            }
        }
        guard let outcome else { preconditionFailure("a call was taken for ended before it had") }
        return try outcome.get()
    }

    override func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) -> RPCError? {
        guard isLast else { return RPCError(.internalError, "a unary call was answered with a stream") }
        finish(.success(unsafe Array(payload)))
        return nil
    }

    override func ended(_ failure: AttemptFailure?) {
        finish(.failure(failure ?? AttemptFailure(RPCError(.internalError, "the call ended without an answer"))))
    }

    private func finish(_ outcome: Result<[UInt8], AttemptFailure>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        waiter.take()?.resume()
    }
}

/// Waits for a stream of messages.
final class PendingStream<Response: Sendable>: PendingCall, @unchecked Sendable {
    let inbox: MessageInbox<Response>

    init(_ inbox: MessageInbox<Response>) { self.inbox = inbox }

    override var answers: (any StreamReceiver)? { inbox }

    override func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) -> RPCError? {
        do {
            try unsafe inbox.receive(payload)
            if isLast { inbox.end(nil) }
            return nil
        } catch {
            return error
        }
    }

    override func ended(_ failure: AttemptFailure?) { inbox.end(failure?.error) }
}
