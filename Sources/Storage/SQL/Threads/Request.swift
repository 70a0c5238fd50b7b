internal import Synchronization

/// A transaction that somebody awaits, without its type. Answered exactly once.
protocol Request: AnyObject, Sendable {
    /// Why it must not go on: cancelled, or past its deadline. Nil while it may.
    var stopReason: SQLError? { get }
    /// Leaves the queue. False when it is over already, or is now because of `stopReason`.
    func start() -> Bool
    /// Runs the body and keeps its value. It may be called again, when a group has to be run anew.
    func perform(in transaction: borrowing Transaction) throws(SQLError)
    /// Gives the kept value, or `error`, to the one who awaits. Only the first answer counts.
    func answer(_ error: SQLError?)
}

/// A request with its body and its caller.
final class Call<Value: Sendable>: Request {
    typealias Body = @Sendable (borrowing Transaction) throws(SQLError) -> Value
    typealias Caller = CheckedContinuation<Result<Value, SQLError>, Never>

    /// The caller is in the state, so whoever takes it out is the only one that can answer.
    private enum State {
        case created
        case waiting(Caller)
        case running(Caller)
        case performed(Caller, Value)
        case answered
    }

    private let deadline: ContinuousClock.Instant?
    private let body: Body
    private let state = Mutex(State.created)
    private let isCancelled = Atomic(false)

    init(deadline: ContinuousClock.Instant?, body: @escaping Body) {
        self.deadline = deadline
        self.body = body
    }

    var stopReason: SQLError? {
        if isCancelled.load(ordering: .relaxed) { return SQLError(.cancelled, "the task was cancelled") }
        guard let deadline, ContinuousClock.now >= deadline else { return nil }
        return SQLError(.deadlineExceeded, "the deadline passed before the transaction was done")
    }

    /// Takes the caller in before it is queued. False when it was cancelled before that; it is then answered.
    func wait(_ caller: Caller) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .created = state else { return false }
            state = .waiting(caller)
            return true
        }
        if !isWaiting { caller.resume(returning: .failure(SQLError(.cancelled, "the task was cancelled"))) }
        return isWaiting
    }

    /// Ends it at once if it waits; a running one sees it at its next look. What is done already stays done.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        let caller: Caller? = state.withLock { state in
            switch state {
            case .created:
                state = .answered
                return nil
            case .waiting(let caller):
                state = .answered
                return caller
            case .running, .performed, .answered: return nil
            }
        }
        caller?.resume(returning: .failure(SQLError(.cancelled, "the task was cancelled")))
    }

    func start() -> Bool {
        if let reason = stopReason {
            answer(reason)
            return false
        }
        return state.withLock { state in
            guard case .waiting(let caller) = state else { return false }
            state = .running(caller)
            return true
        }
    }

    func perform(in transaction: borrowing Transaction) throws(SQLError) {
        let value = try body(transaction)
        state.withLock { state in
            switch state {
            case .running(let caller), .performed(let caller, _): state = .performed(caller, value)
            case .created, .waiting, .answered: preconditionFailure("performed a request that isn't running")
            }
        }
    }

    func answer(_ error: SQLError?) {
        let (caller, value): (Caller?, Value?) = state.withLock { state in
            defer { state = .answered }
            switch state {
            case .waiting(let caller), .running(let caller): return (caller, nil)
            case .performed(let caller, let value): return (caller, value)
            case .created, .answered: return (nil, nil)
            }
        }
        guard let caller else { return }
        if let error { return caller.resume(returning: .failure(error)) }
        guard let value else { preconditionFailure("answered a request that has no value") }
        caller.resume(returning: .success(value))
    }
}
