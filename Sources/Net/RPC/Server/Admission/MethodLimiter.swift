import Budgets
import EventLoops
import Wire
import Synchronization

/// Limits how many calls of one method run at once to what raises the throughput, and refuses calls that would wait
/// too long.
///
/// Below the limit it only counts. From the first call that has to wait until none has waited for a second, it also
/// measures, in windows, and adjusts the limit.
package final class MethodLimiter: Sendable {
    private typealias Place = Waiter<Result<Void, RPCError>>

    private let running = Atomic<Int>(0)
    private let lastID = Atomic<UInt64>(0)
    private let limit: Atomic<Int>
    /// Calls wait, or did a moment ago: a call that ends has to check the queue.
    private let isWatched = Atomic<Bool>(false)
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var learned: ConcurrencyLimit
        var queue: AdmissionQueue<Place>
        var window: AdmissionWindow
        var lastWait: MonotonicTime
        /// A task checks the queue periodically.
        var isPatrolled = false
    }

    /// It stops measuring this long after the last call that waited.
    private static let watchTime: Duration = .seconds(1)
    /// How often the queue is checked when no call ends and so checks it.
    private static let patrol: Duration = .milliseconds(50)
    /// The time left that a call without a deadline is counted with.
    private static let longest: Duration = .seconds(60)
    /// A limit learned this long ago may be wrong by now.
    private static let memory: Duration = .seconds(60)

    package init(initial: Int = ConcurrencyLimit.initial) {
        limit = Atomic(initial)
        let now = MonotonicTime.now
        state = Mutex(
            State(
                learned: ConcurrencyLimit(initial: initial), queue: AdmissionQueue(now: now),
                window: AdmissionWindow(start: now), lastWait: now))
    }

    /// How many calls are running.
    package var callsRunning: Int { running.load(ordering: .relaxed) }
    /// How many calls may run.
    package var currentLimit: Int { limit.load(ordering: .relaxed) }
    /// How many calls are waiting.
    package var callsWaiting: Int { state.withLock { $0.queue.count } }

    /// Takes a place, or waits for one; returns when it was taken. Throws RESOURCE_EXHAUSTED when that would take, or
    /// took, too long. Each place is given back by `leave`.
    @inline(__always)
    func enter(_ context: CallContext) async throws(RPCError) -> MonotonicTime {
        if tryEnter() { return context.start }
        try await waitForPlace(context.remaining ?? Self.longest, context.sharer)
        return .now
    }

    /// Runs `body` while holding a place.
    func run<R>(_ context: CallContext, _ body: () async throws -> R) async throws -> R {
        let start = try await enter(context)
        defer { leave(start) }
        return try await body()
    }

    /// Takes a place; false when all are taken.
    @inline(__always)
    func tryEnter() -> Bool {
        if running.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue < limit.load(ordering: .relaxed) {
            return true
        }
        running.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        return false
    }

    /// Refuses a call that has waited for its loop longer than one of a burst may wait here: handlers that wait for
    /// nothing never run side by side, so that no limit on them would show that they are too many.
    func checkWait(_ context: CallContext, _ now: MonotonicTime) throws(RPCError) {
        let timeout = context.deadline?.since(context.start) ?? Self.longest
        if now.since(context.start) > AdmissionQueue<Place>.burstPatience(timeout) {
            throw state.withLock { refusal($0) }
        }
    }

    private func waitForPlace(_ timeout: Duration, _ sharer: Sharer) async throws(RPCError) {
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let outcome: Result<Void, RPCError> = await withTaskCancellationHandler {
            await Place.suspend { place in
                let ends = state.withLock { enqueue(place, id, sharer, &$0, .now, timeout) }
                for (place, outcome) in ends { place.resume(outcome) }
            }
        } onCancel: {
            giveUp(id, sharer)
        }
        try outcome.get()
    }

    /// Gives a place back. `start` is when the call arrived.
    @inline(__always)
    func leave(_ start: MonotonicTime) {
        // In this order, and in the reverse order in `enqueue`: one of the two sees the other's change.
        running.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if isWatched.load(ordering: .sequentiallyConsistent) { left(start) }
    }
}

// MARK: while calls wait

extension MethodLimiter {
    private typealias Ends = [(place: Place, outcome: Result<Void, RPCError>)]

    private func enqueue(
        _ place: Place, _ id: UInt64, _ sharer: Sharer, _ state: inout State, _ now: MonotonicTime,
        _ timeout: Duration
    ) -> Ends {
        if Task.isCancelled { return [(place, .failure(RPCError(.cancelled, "the call was cancelled")))] }
        watch(&state, now)
        var ends = expire(&state, now)
        let (latency, rate) = (state.window.latency, state.window.rate)
        let isHopeless = state.queue.isHopeless(
            now, latency: latency, rate: rate, timeout: timeout, for: sharer.client)
        guard !isHopeless, state.queue.append(place, id, now, timeout: timeout, for: sharer) else {
            return ends + [(place, .failure(refusal(state)))]
        }
        // A place may have become free before it was visible that this call waits.
        ends += admit(&state, now)
        if !state.queue.isEmpty, !state.isPatrolled {
            state.isPatrolled = true
            Task { await self.patrol() }
        }
        return ends
    }

    /// Checks the queue until it is empty: calls that do not end must not hold up the others for ever.
    private func patrol() async {
        while true {
            do { try await Task.sleep(for: Self.patrol) } catch { return }
            let (ends, isOver): (Ends, Bool) = state.withLock { state in
                let now = MonotonicTime.now
                let ends = expire(&state, now) + admit(&state, now)
                state.isPatrolled = !state.queue.isEmpty
                return (ends, state.queue.isEmpty)
            }
            for (place, outcome) in ends { place.resume(outcome) }
            if isOver { return }
        }
    }

    private func watch(_ state: inout State, _ now: MonotonicTime) {
        if !isWatched.load(ordering: .relaxed) {
            if now.since(state.lastWait) > Self.memory { set(ConcurrencyLimit(), &state) }
            state.window = AdmissionWindow(start: now)
            isWatched.store(true, ordering: .sequentiallyConsistent)
        }
        state.lastWait = now
    }

    private func giveUp(_ id: UInt64, _ sharer: Sharer) {
        let place = state.withLock { $0.queue.remove(id, of: sharer.client) }
        place?.resume(.failure(RPCError(.cancelled, "the call was cancelled")))
    }

    private func left(_ start: MonotonicTime) {
        let ends = state.withLock { state in
            let now = MonotonicTime.now
            state.window.add(now.since(start), isFull: !state.queue.isEmpty, now)
            if state.window.isOver(now) { closeWindow(&state, now) }
            return expire(&state, now) + admit(&state, now)
        }
        for (place, outcome) in ends { place.resume(outcome) }
    }

    private func closeWindow(_ state: inout State, _ now: MonotonicTime) {
        state.window.close(now)
        var learned = state.learned
        learned.windowEnded(rate: state.window.rate, isFull: state.window.wasFull)
        set(learned, &state)
        let isQuiet = state.queue.isEmpty && now.since(state.lastWait) > Self.watchTime
        if isQuiet { isWatched.store(false, ordering: .sequentiallyConsistent) }
    }

    private func set(_ learned: ConcurrencyLimit, _ state: inout State) {
        state.learned = learned
        limit.store(learned.limit, ordering: .relaxed)
    }

    /// Starts as many waiting calls as there are free places.
    private func admit(_ state: inout State, _ now: MonotonicTime) -> Ends {
        var ends: Ends = []
        while !state.queue.isEmpty, tryEnter() {
            guard let place = state.queue.next(now) else { break }
            ends.append((place, .success(())))
        }
        return ends
    }

    /// Refuses calls that have waited too long. When no call has ended in all that time, raises the limit instead.
    private func expire(_ state: inout State, _ now: MonotonicTime) -> Ends {
        var ends: Ends = []
        while state.queue.isExpired(now, latency: state.window.latency), let first = state.queue.first {
            if state.window.lastEnd <= first.since {
                var learned = state.learned
                learned.nothingEnded()
                set(learned, &state)
                break
            }
            guard let place = state.queue.removeFirst(now) else { break }
            ends.append((place, .failure(refusal(state))))
        }
        return ends
    }

    /// The refusal, with the time in which half of the queue will have been worked off: there may be room by then.
    private func refusal(_ state: borrowing State) -> RPCError {
        let seconds = state.window.rate > 0 ? Double(state.queue.count) / state.window.rate / 2 : 0
        return RPCError(
            .resourceExhausted, "too many calls of this method wait already: it is overloaded",
            details: StatusDetails(retryAfterMs: UInt64(min(10_000, max(100, seconds * 1000)))))
    }
}
