internal import Synchronization

/// Lets a limited number of tasks at a time run; the others wait in order of arrival, and block no thread.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var permits: Int
        var waiting: [(id: UInt64, waiter: Waiter<Bool>)] = []
        var lastID: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(permits: Int) { state = Mutex(State(permits: permits)) }

    /// How many tasks wait.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` once a permit is free. Throws `CancellationError` when the task is cancelled before that.
    package func run<R>(_ body: () async throws -> R) async throws -> R {
        guard await enter() else { throw CancellationError() }
        defer { leave() }
        return try await body()
    }

    /// False when the task was cancelled while it waited.
    private func enter() async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await Waiter.suspend { waiter in
                if let isIn = place(waiter, id) { waiter.resume(isIn) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// Whether it may run; nil when it has to wait.
    private func place(_ waiter: Waiter<Bool>, _ id: UInt64) -> Bool? {
        state.withLock { state in
            // A cancellation from here on finds the waiter in the list.
            if Task.isCancelled { return false }
            guard state.permits == 0 else {
                state.permits -= 1
                return true
            }
            state.waiting.append((id, waiter))
            return nil
        }
    }

    private func giveUp(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).waiter }
        }
        waiter?.resume(false)
    }

    /// The permit goes to the waiter that has waited longest.
    private func leave() {
        let next: Waiter<Bool>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().waiter }
            state.permits += 1
            return nil
        }
        next?.resume(true)
    }
}
