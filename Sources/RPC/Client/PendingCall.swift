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
@safe
final class PendingUnary<Response: Sendable>: PendingCall, @unchecked Sendable {
    typealias Outcome = Result<Response, AttemptFailure>
    private var waiter: Waiter<Outcome>?
    /// What came before anybody waited.
    private var early: Outcome?
    private let decode: (UnsafeRawBufferPointer) throws(WireError) -> Response

    init(_ decode: @escaping (UnsafeRawBufferPointer) throws(WireError) -> Response) { unsafe self.decode = decode }

    func wait(_ waiter: Waiter<Outcome>) {
        guard let early else { return self.waiter = waiter }
        waiter.resume(early)
    }

    override func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) -> RPCError? {
        guard isLast else { return RPCError(.internalError, "a unary call was answered with a stream") }
        do {
            finish(.success(try unsafe decode(payload)))
            return nil
        } catch {
            return RPCError(.internalError, "the answer does not decode: \(error.message)")
        }
    }

    override func ended(_ failure: AttemptFailure?) {
        finish(.failure(failure ?? AttemptFailure(RPCError(.internalError, "the call ended without an answer"))))
    }

    private func finish(_ outcome: Outcome) {
        guard let waiter = waiter.take() else { return early = early ?? outcome }
        waiter.resume(outcome)
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
