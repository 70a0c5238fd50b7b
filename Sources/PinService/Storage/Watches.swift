import EventLoops
import Synchronization

/// The watchers of single pins, and of all pins of an account.
struct Watches: Sendable {
    let pins = Bells<PinID>()
    let accounts = Bells<String>()

    /// A pin of an account was changed, added or removed.
    func ring(_ pin: PinID, of account: String) {
        pins.ring(pin)
        accounts.ring(account)
    }

    /// Ends all watches, for good.
    func close() {
        pins.close()
        accounts.close()
    }

    /// Whether watches were ended.
    var isClosed: Bool { pins.isClosed || accounts.isClosed }
}

/// Wakes the watchers of a key when it has changed, and no others.
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

    /// Wakes all watchers of `key`.
    func ring(_ key: Key) { state.withLock { $0.entries[key]?.bell }?.ring() }

    /// Wakes all watchers, and ends watching for good.
    func close() {
        let bells = state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.bell)
        }
        for bell in bells { bell.ring() }
    }

    /// Whether it was closed.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// How many keys have watchers.
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
