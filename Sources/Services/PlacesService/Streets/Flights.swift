import EventLoops
import Synchronization

/// What is being asked for: callers who want the same wait for the same answer. It is asked for to its end, also when
/// none of them waits any more, so that the next one finds it.
final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Flight: Sendable {
        let landed = Bell()
        let value = Mutex<Value?>(nil)
    }

    private struct State {
        var flights: [Key: (flight: Flight, task: Task<Void, Never>)] = [:]
        var isStopped = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many may be under way.
    init(limit: Int) { self.limit = limit }

    /// The answer; nil when it takes longer, or too many are under way.
    func value(
        of key: Key, within patience: Duration, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        guard let flight = join(key, body) else { return nil }
        await flight.landed.wait(after: 0, timeout: patience)
        return flight.value.withLock { $0 }
    }

    /// Cancels all; no new ones begin.
    func stop() async {
        let tasks = state.withLock { state in
            state.isStopped = true
            return state.flights.values.map(\.task)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func join(_ key: Key, _ body: @escaping @Sendable () async -> Value) -> Flight? {
        state.withLock { state in
            if let known = state.flights[key] { return known.flight }
            guard !state.isStopped, state.flights.count < limit else { return nil }
            let flight = Flight()
            let task = Task {
                let value = await body()
                flight.value.withLock { $0 = value }
                self.state.withLock { $0.flights[key] = nil }
                flight.landed.ring()
            }
            state.flights[key] = (flight, task)
            return flight
        }
    }
}
