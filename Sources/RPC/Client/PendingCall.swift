import EventLoops
import Wire

/// A call whose answer has not come yet.
///
/// `@unchecked Sendable`: it is touched by its connection and by the reader of its stream only, two actors that are
/// pinned to the same loop, and so never at the same time.
class PendingCall: @unchecked Sendable {
    var timer: TimerToken?

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
    private let decode: (UnsafeRawBufferPointer) throws(WireError) -> Response

    init(_ decode: @escaping (UnsafeRawBufferPointer) throws(WireError) -> Response) { unsafe self.decode = decode }

    func wait(_ waiter: Waiter<Outcome>) { self.waiter = waiter }

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
        waiter?.resume(outcome)
        waiter = nil
    }
}

/// Collects the messages of a stream until they are read. What it holds is bounded by the credit the server was given.
@safe
final class PendingStream<Response: Sendable>: PendingCall, @unchecked Sendable {
    private let decode: (UnsafeRawBufferPointer) throws(WireError) -> Response
    private var messages: [(message: Response, cost: Int)] = []
    private var next = 0
    private var end: Result<Void, RPCError>?
    private var waiter: Waiter<Void>?
    /// Bytes that the server may still send. The last message may overdraw it.
    private var credit: Int

    init(credit: Int, _ decode: @escaping (UnsafeRawBufferPointer) throws(WireError) -> Response) {
        self.credit = credit
        unsafe self.decode = decode
    }

    override func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) -> RPCError? {
        guard credit > 0 else { return RPCError(.resourceExhausted, "the server sent more than its credit allows") }
        let cost = payload.count + FrameHeader.byteCount
        credit -= cost
        do {
            messages.append((try unsafe decode(payload), cost))
        } catch {
            return RPCError(.internalError, "a message of the stream does not decode: \(error.message)")
        }
        if isLast { end = .success(()) }
        wake()
        return nil
    }

    /// The server is told that it may send so much more.
    func grant(_ bytes: Int) { credit += bytes }

    override func ended(_ failure: AttemptFailure?) {
        end = end ?? failure.map { .failure($0.error) } ?? .success(())
        wake()
    }

    /// What is there to read.
    enum Reading { case message(Response, cost: Int), end(RPCError?), nothingYet }

    func read() -> Reading {
        if next < messages.count {
            let (message, cost) = messages[next]
            next += 1
            if next == messages.count {
                messages.removeAll(keepingCapacity: true)
                next = 0
            }
            return .message(message, cost: cost)
        }
        switch end {
        case nil: return .nothingYet
        case .success: return .end(nil)
        case .failure(let error): return .end(error)
        }
    }

    func wait(_ waiter: Waiter<Void>) {
        precondition(self.waiter == nil, "two tasks read one stream")
        self.waiter = waiter
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }
}
