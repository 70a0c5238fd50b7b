import Storage
import Synchronization

/// Wakes those who watch a pin when that pin has changed, and nobody else.
final class PinBells: Sendable {
    private struct Entry {
        let bell = Bell()
        var watchers = 0
    }

    private struct State {
        var entries: [PinID: Entry] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Wakes everybody who watches the pin.
    func ring(_ pin: PinID) { state.withLock { $0.entries[pin]?.bell }?.ring() }

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

    /// How many pins are watched.
    var count: Int { state.withLock { $0.entries.count } }

    /// Runs `body` with the bell of a pin.
    func watching(_ pin: PinID, _ body: (Bell) async throws -> Void) async throws {
        let bell = state.withLock { state in
            state.entries[pin, default: Entry()].watchers += 1
            return state.entries[pin, default: Entry()].bell
        }
        defer { leave(pin) }
        try await body(bell)
    }

    private func leave(_ pin: PinID) {
        state.withLock { state in
            state.entries[pin]?.watchers -= 1
            if state.entries[pin]?.watchers == 0 { state.entries[pin] = nil }
        }
    }
}
