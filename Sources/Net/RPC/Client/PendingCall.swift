import EventLoops
import Wire

/// A call whose answer has not come yet.
///
/// `@unchecked Sendable`: it is touched by its connection and by the reader of its stream only, two actors that are
/// pinned to the same loop, and so never at the same time.
class PendingCall: @unchecked Sendable {
    var timer: TimerToken?
    /// When it ended: the time of the loop's turn.
    var end: MonotonicTime?
    /// How much of the requests the server accepts, when they are a stream.
    var requests: SendWindow?
    /// Receives the answers, when they are a stream.
    var answers: (any StreamReceiver)? { nil }
    /// Bytes of answers that the server may send ahead.
    var answerWindow = 0

    /// A packed message. The bytes are valid during the call only. Returns the reason when the call can't continue; it
    /// is to be cancelled then.
    func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) -> RPCError? { nil }

    /// The call is over; `failure` is nil when it succeeded.
    func ended(_ failure: AttemptFailure?) {}
}

/// Waits for one message.
@safe
final class PendingUnary: PendingCall, @unchecked Sendable {
    /// How the call ended, once it has.
    private(set) var outcome: Result<[UInt8], AttemptFailure>?
    private var waiter: UnsafeContinuation<Void, Never>?

    /// Resumes the continuation when the call has ended. On the connection's loop, and once.
    func wake(_ continuation: UnsafeContinuation<Void, Never>) {
        // A task that does not prefer the loop has let others run since it checked.
        if outcome != nil { unsafe continuation.resume() } else { unsafe waiter = continuation }
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
        unsafe waiter.take()?.resume()
    }
}

/// Waits for a stream of messages.
final class PendingStream<Response: Sendable>: PendingCall, @unchecked Sendable {
    let inbox: MessageInbox<Response>
    /// Why it failed, also for a message that does not decode; nil while it runs, and when it succeeded.
    private(set) var failure: AttemptFailure?

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

    override func ended(_ failure: AttemptFailure?) {
        self.failure = failure
        inbox.end(failure?.error)
    }
}
