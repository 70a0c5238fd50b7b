import EventLoops
import Wire

/// A call whose answer has not come yet.
///
/// `@unchecked Sendable`: it is touched by its connection and by the reader of its stream only, two actors that are
/// pinned to the same loop, and so never at the same time.
class PendingCall: @unchecked Sendable {
    var timer: TimerToken?

    /// A packed message. The bytes are valid during the call only.
    func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) {}

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

    override func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) {
        guard isLast else { return finish(.failure(Self.wrong("a unary call was answered with a stream"))) }
        do {
            finish(.success(try unsafe decode(payload)))
        } catch {
            finish(.failure(Self.wrong("the answer does not decode: \(error.message)")))
        }
    }

    override func ended(_ failure: AttemptFailure?) {
        finish(.failure(failure ?? Self.wrong("the call ended without an answer")))
    }

    private static func wrong(_ message: String) -> AttemptFailure { AttemptFailure(RPCError(.internalError, message)) }

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

    init(_ decode: @escaping (UnsafeRawBufferPointer) throws(WireError) -> Response) { unsafe self.decode = decode }

    override func received(_ payload: UnsafeRawBufferPointer, isLast: Bool) {
        do {
            messages.append((try unsafe decode(payload), payload.count + FrameHeader.byteCount))
            if isLast { end = .success(()) }
        } catch {
            end = .failure(RPCError(.internalError, "a message of the stream does not decode: \(error.message)"))
        }
        wake()
    }

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
