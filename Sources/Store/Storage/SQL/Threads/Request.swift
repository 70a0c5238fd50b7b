import EventLoops
internal import Synchronization

/// A transaction that a task awaits. Answered exactly once.
///
/// It knows nothing of the value that its body makes: generic types that are known at run time only are looked up at
/// each step, which took longer than a short query.
final class Request: Sendable {
    typealias Body = @Sendable (borrowing Transaction) throws(SQLError) -> Void
    typealias Caller = Waiter<Result<Void, SQLError>>

    /// The caller is in the state: only the code that takes it out can answer.
    private enum State {
        case created
        case waiting(Caller)
        case running(Caller)
        case performed(Caller)
        case answered
    }

    let scope: WriteScope
    private let deadline: ContinuousClock.Instant?
    private let body: Body
    private let noted = Mutex<Set<String>>([])
    private let state = Mutex(State.created)
    private let isCancelled = Atomic(false)

    init(_ scope: WriteScope = .everything, deadline: ContinuousClock.Instant?, body: @escaping Body) {
        self.scope = scope
        self.deadline = deadline
        self.body = body
    }

    /// How many statements its body may run.
    var maximumStatements: Int { scope == .statement ? 1 : .max }

    /// Why it must not continue: cancelled, or past its deadline. Nil while it may.
    var stopReason: SQLError? {
        if isCancelled.load(ordering: .relaxed) { return SQLError(.cancelled, "the task was cancelled") }
        guard let deadline, ContinuousClock.now >= deadline else { return nil }
        return SQLError(.deadlineExceeded, "the deadline passed before the transaction was done")
    }

    /// Stores the caller before the request is queued. False when it was cancelled before that; it is then answered.
    func wait(_ caller: Caller) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .created = state else { return false }
            state = .waiting(caller)
            return true
        }
        if !isWaiting { caller.resume(.failure(SQLError(.cancelled, "the task was cancelled"))) }
        return isWaiting
    }

    /// Ends it at once if it is waiting; a running one stops at its next check. Completed work is not undone.
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
        caller?.resume(.failure(SQLError(.cancelled, "the task was cancelled")))
    }

    /// What the body has changed, for `Notices`; set when it has been performed.
    var notes: Set<String> {
        get { noted.withLock { $0 } }
        set { noted.withLock { $0 = newValue } }
    }

    /// Leaves the queue. False when it is already over, or is over now because of `stopReason`.
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

    /// Runs the body, which stores its value. It may be called again, when a group has to be run again.
    func perform(in transaction: borrowing Transaction) throws(SQLError) {
        try body(transaction)
        state.withLock { state in
            switch state {
            case .running(let caller), .performed(let caller): state = .performed(caller)
            case .created, .waiting, .answered: preconditionFailure("performed a request that isn't running")
            }
        }
    }

    /// Resumes the waiting caller: the value is ready, or `error`. Only the first answer counts.
    func answer(_ error: SQLError?) {
        let (caller, isPerformed): (Caller?, Bool) = state.withLock { state in
            defer { state = .answered }
            switch state {
            case .waiting(let caller), .running(let caller): return (caller, false)
            case .performed(let caller): return (caller, true)
            case .created, .answered: return (nil, false)
            }
        }
        guard let caller else { return }
        if let error { return caller.resume(.failure(error)) }
        precondition(isPerformed, "answered a request that has no value")
        caller.resume(.success(()))
    }
}

/// The value that the body of a request produced.
///
/// `@unchecked Sendable`: the thread that runs the request writes it before it answers; the caller reads it after
/// that.
final class RequestValue<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}
