import Synchronization

/// Counts events, and lets a test wait until a number of them has come: the signal that stands where others sleep.
package final class Tally: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: (target: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How many events have come.
    package var count: Int { state.withLock { $0.count } }

    /// One more event.
    package func add() {
        let ready = state.withLock { state in
            state.count += 1
            let ready = state.waiters.filter { $0.value.target <= state.count }
            for id in ready.keys { state.waiters[id] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when `target` events have come; throws when the waiting task is cancelled.
    package func wait(for target: Int = 1) async throws {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.count >= target || Task.isCancelled { return true }
                    state.waiters[id] = (target, continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    /// Waits until the task is cancelled, and counts that. For handlers that hang.
    package func addWhenCancelled() async throws -> Never {
        defer { add() }
        try await Tally.never.wait()
        preconditionFailure("what never comes has come")
    }

    private static let never = Tally()
}
