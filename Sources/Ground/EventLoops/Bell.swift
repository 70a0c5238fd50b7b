internal import Synchronization

/// Wakes tasks that wait for something to change. It carries no value: a task that wakes up checks for itself.
package final class Bell: Sendable {
    private struct State {
        var count = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How often it was rung. Read before checking what may change, and passed to `wait` afterwards, so that no change
    /// is missed in between.
    package var count: Int { state.withLock { $0.count } }

    /// Wakes all waiters.
    package func ring() {
        let waiting = state.withLock { state in
            state.count &+= 1
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Returns when the bell was rung after `count` was read, or the task is cancelled.
    package func wait(after count: Int) async {
        let id = state.withLock { state in
            state.nextID &+= 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.count == count, !Task.isCancelled else { return false }
                    state.waiting[id] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    /// Like `wait(after:)`, and returns after `timeout` at the latest.
    package func wait(after count: Int, timeout: Duration) async {
        guard timeout > .zero else { return }
        _ = try? await withTimeLimit(timeout) { await self.wait(after: count) }
    }
}
