import EventLoops
import Synchronization

/// A pin whose changes are numbered by its name, and what its watchers were sent of them.
final class FollowedPin: Sendable {
    /// What was wrong with what watchers were sent.
    struct Faults: Sendable {
        /// Changes that were sent again.
        var doubled = 0
        /// Changes that were sent after a later one.
        var disordered = 0
        /// Changes that never came.
        var missing = 0

        static func + (one: Faults, other: Faults) -> Faults {
            var sum = one
            sum.doubled += other.doubled
            sum.disordered += other.disordered
            sum.missing += other.missing
            return sum
        }
    }

    private struct State {
        var turn = 0
        var due = MonotonicTime(nanoseconds: 0)
        /// The last change that each watcher was sent.
        var seen: [Int]
        var faults = Faults()

        var isSettled: Bool { seen.allSatisfy { $0 >= turn } }
    }

    let id: String
    /// The token of a session of its account.
    let token: String
    private let state: Mutex<State>
    private let bell = Bell()

    init(_ id: String, token: String, watchers: Int) {
        (self.id, self.token) = (id, token)
        state = Mutex(State(seen: [Int](repeating: 0, count: watchers)))
    }

    /// The name of a change that is due at a time, as soon as all watchers were sent the one before: two that come
    /// close together may be sent as one. Nil when the run is over.
    func change(due: MonotonicTime) async -> String? {
        while !Task.isCancelled {
            let count = bell.count
            let turn: Int? = state.withLock { state in
                guard state.isSettled else { return nil }
                state.turn += 1
                state.due = due
                return state.turn
            }
            if let turn { return "Turn \(turn)" }
            await bell.wait(after: count)
        }
        return nil
    }

    /// Returns when all watchers were sent all changes; false when the task was cancelled before.
    func isSettled() async -> Bool {
        while !Task.isCancelled {
            let count = bell.count
            if state.withLock({ $0.isSettled }) { return true }
            await bell.wait(after: count)
        }
        return false
    }

    /// A watcher was sent the pin; returns how long after the change was due, in nanoseconds, unless it was no change.
    func wasSent(named name: String, to watcher: Int) -> UInt64? {
        let now = MonotonicTime.now
        let turn = Int(name.split(separator: " ").last ?? "") ?? 0
        let latency: UInt64? = state.withLock { state in
            let before = state.seen[watcher]
            state.seen[watcher] = max(before, turn)
            guard turn > before else {
                if turn == before { state.faults.doubled += 1 } else { state.faults.disordered += 1 }
                return nil
            }
            state.faults.missing += turn - before - 1
            return now.nanoseconds(since: state.due)
        }
        bell.ring()
        return latency
    }

    /// The number of its last change.
    var turn: Int { state.withLock { $0.turn } }

    var faults: Faults {
        state.withLock { state in
            var faults = state.faults
            for seen in state.seen { faults.missing += state.turn - seen }
            return faults
        }
    }
}
