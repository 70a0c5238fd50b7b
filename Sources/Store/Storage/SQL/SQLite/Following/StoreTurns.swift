internal import EventLoops

/// Where a writer waits until what it has committed is copied. One waits at a time.
final class StoreTurns: Sendable {
    private struct State {
        var isWaiting = false
        var since = ContinuousClock.now
        var isClosed = false
        var answer: SQLError?
        var wake: (@Sendable () -> Void)?
    }

    private let state = ConditionMutex(State())

    /// Who copies: it is called when a writer begins to wait.
    func take(_ wake: @escaping @Sendable () -> Void) {
        let isWaiting = state.withLock { state, _ in
            state.wake = wake
            return state.isWaiting
        }
        if isWaiting { wake() }
    }

    /// Waits; gives why it is not copied, nil when it is. Before there is who copies it waits for nothing. Blocks the
    /// calling thread.
    func wait() -> SQLError? {
        let (wake, isClosed): ((@Sendable () -> Void)?, Bool) = state.withLock { state, _ in
            if state.wake != nil, !state.isClosed {
                (state.isWaiting, state.since, state.answer) = (true, .now, nil)
            }
            return (state.wake, state.isClosed)
        }
        if isClosed { return Self.closed }
        guard let wake else { return nil }
        wake()
        return state.wait(until: { !$0.isWaiting }) { $0.answer }
    }

    /// Whether a writer waits.
    var isWaiting: Bool { state.withLock { state, _ in state.isWaiting } }

    /// Answers the writer that waits, if one does.
    func answer(_ error: SQLError?) {
        state.withLock { state, waker in
            guard state.isWaiting else { return }
            (state.isWaiting, state.answer) = (false, error)
            waker.all()
        }
    }

    /// Answers the writer that waits, if it has for so long.
    func answer(after patience: Duration, _ error: SQLError) {
        state.withLock { state, waker in
            guard state.isWaiting, .now - state.since > patience else { return }
            (state.isWaiting, state.answer) = (false, error)
            waker.all()
        }
    }

    /// No one copies any more.
    func close() {
        state.withLock { state, waker in
            state.isClosed = true
            guard state.isWaiting else { return }
            (state.isWaiting, state.answer) = (false, Self.closed)
            waker.all()
        }
    }

    private static let closed = SQLError(.away, "the database's copy is not kept up any more: the service is stopping")
}
