import EventLoops
import Wire

/// The calls of one loop to one target: each is tried until it is answered, may not be tried again, or is late.
actor Channel: LoopActor {
    nonisolated let loop: EventLoop
    nonisolated let pool: ConnectionPool
    var budget = RetryBudget()
    /// How long methods usually take, of those whose calls are hedged; by their paths.
    var usual: [String: UsualLatency] = [:]
    private var random = QuickRandom()

    /// The longest pause before a retry.
    private static let longestPause: Duration = .seconds(1)

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(_ pool: ConnectionPool) {
        loop = pool.loop
        self.pool = pool
    }

    /// Calls a method that answers with one message, with retries elsewhere when they are allowed and useful.
    /// - Parameter tried: where it was sent already, and may still be answered.
    func unary(
        _ call: consuming Call, repeatable: Bool, _ deadline: MonotonicTime, _ note: CallNote?,
        tried: [Balancer.Slot] = []
    ) async throws(RPCError) -> [UInt8] {
        if tried.isEmpty { budget.callStarted(at: loop.now) }
        return try await unary(consume call, repeatable: repeatable, deadline, note, Attempts(tried: tried))
    }

    func unary(
        _ call: consuming Call, repeatable: Bool, _ deadline: MonotonicTime, _ note: CallNote?,
        _ attempts: consuming Attempts
    ) async throws(RPCError) -> [UInt8] {
        var call = consume call
        var attempts = consume attempts
        while true {
            do throws(AttemptFailure) {
                let place =
                    if let found = find(attempts) {
                        found
                    } else {
                        try await pool.expect(isRetry: attempts.isRetry, isStream: false, before: deadline)
                    }
                attempts.sent(to: place.slot)
                if let note { write(place, to: note) }
                do throws(AttemptFailure) {
                    let pending = PendingUnary()
                    let id = try send(&call, pending, deadline, place.connection)
                    let answer = try await answer(pending, id, place.connection)
                    answered(place)
                    return answer
                } catch {
                    failed(place, error)
                    throw error
                }
            } catch {
                try await prepareRetry(&attempts, after: error, repeatable: repeatable, deadline)
            }
        }
    }

    /// The packed answer of a call that was opened, as soon as it has come. To be called once.
    ///
    /// It suspends here, on the channel and directly on the continuation: each further async function costs some time.
    func answer(
        _ pending: PendingUnary, _ id: UInt32, _ connection: ClientConnection
    ) async throws(AttemptFailure) -> [UInt8] {
        if pending.outcome == nil {
            await withTaskCancellationHandler {
                await unsafe withUnsafeContinuation(isolation: self) { unsafe pending.wake($0) }
            } onCancel: {
                connection.cancelLater(id)
            }
        }
        guard let outcome = pending.outcome else { preconditionFailure("a call was taken for ended before it had") }
        return try outcome.get()
    }

    /// Opens the call on a connection. Sends how much time is left.
    func send(
        _ call: inout Call, _ pending: PendingCall, _ deadline: MonotonicTime?, _ connection: ClientConnection
    ) throws(AttemptFailure) -> UInt32 {
        if let deadline { call.timeoutUs = deadline.nanoseconds(since: .now) / 1000 }
        return try connection.onLoop { connection throws(AttemptFailure) in
            try connection.open(pending, &call, deadline: deadline)
        }
    }
}

// MARK: places

extension Channel {
    func find(_ attempts: Attempts) -> Place? {
        pool.onLoop { $0.find(attempts.tried, isRetry: attempts.isRetry, isStream: false) }
    }

    func answered(_ place: Place) { pool.onLoop { $0.ended(place, .answered) } }

    func failed(_ place: Place, _ failure: AttemptFailure) { pool.onLoop { $0.failed(place, failure) } }

    func write(_ place: Place, to note: CallNote) { pool.onLoop { $0.links.write(place.slot, to: note) } }
}

// MARK: retries

extension Channel {
    /// Returns when the call is to be tried again; otherwise throws its failure.
    func prepareRetry(
        _ attempts: inout Attempts, after failure: AttemptFailure, repeatable: Bool, _ deadline: MonotonicTime
    ) async throws(RPCError) {
        if Task.isCancelled || pool.onLoop({ $0.isClosed }) { throw failure.error }
        switch attempts.step(after: failure, repeatable: repeatable) {
        case .giveUp: throw failure.error
        case .move: return
        case .retry:
            let wait = pauseEnd(attempts)
            if let wait, wait >= min(deadline, loop.now + Self.longestPause) { throw failure.error }
            guard budget.takeRetry(at: loop.now) else { throw failure.error }
            guard let wait else { return }
            if await pool.waiting.pause(until: wait) == .cancelled { throw AttemptFailure.cancelled.error }
        }
    }

    /// When to try again; nil for at once, at another address. The same address is called after a growing pause, and
    /// not before it may be dialled.
    private func pauseEnd(_ attempts: Attempts) -> MonotonicTime? {
        let tried = attempts.tried
        if pool.onLoop({ $0.links.hasOther(than: tried) }) { return nil }
        let time = loop.now + attempts.pause(using: &random)
        return max(time, pool.onLoop { $0.callTime } ?? time)
    }
}
