import EventLoops
import Synchronization

/// Wakes those who watch something when that has changed, and nobody else.
final class Bells<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let bell = Bell()
        var watchers = 0
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Wakes everybody who watches `key`.
    func ring(_ key: Key) { state.withLock { $0.entries[key]?.bell }?.ring() }

    /// Wakes everybody, for good: nothing is watched any more.
    func close() {
        let bells = state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.bell)
        }
        for bell in bells { bell.ring() }
    }

    /// Whether it was closed.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// How many keys are watched.
    var count: Int { state.withLock { $0.entries.count } }

    /// Runs `body` with the bell of `key`.
    func watching(_ key: Key, _ body: (Bell) async throws -> Void) async throws {
        let bell = state.withLock { state in
            state.entries[key, default: Entry()].watchers += 1
            return state.entries[key, default: Entry()].bell
        }
        defer { leave(key) }
        try await body(bell)
    }

    private func leave(_ key: Key) {
        state.withLock { state in
            state.entries[key]?.watchers -= 1
            if state.entries[key]?.watchers == 0 { state.entries[key] = nil }
        }
    }
}
