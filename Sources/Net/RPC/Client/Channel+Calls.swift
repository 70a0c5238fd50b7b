import EventLoops
import Wire

extension Channel {
    /// How long a stream without a deadline waits for a connection.
    private static let connectingTime: Duration = .seconds(10)
    /// The longest pause before a retry.
    private static let longestPause: Duration = .seconds(1)

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
                let place = if let found = find(attempts.tried) { found } else { try await expectPlace(deadline) }
                let start = began(place, &attempts)
                if let note { write(place.slot, to: note) }
                do throws(AttemptFailure) {
                    let pending = PendingUnary()
                    let id = try send(&call, pending, deadline, place.connection)
                    let answer = try await answer(pending, id, place.connection)
                    ended(place.slot, .answered, since: start)
                    return answer
                } catch {
                    failed(place, error, since: start)
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

    func began(_ place: Place, _ attempts: inout Attempts) -> MonotonicTime {
        balancer.started(place.slot, isRetry: attempts.isRetry)
        attempts.sent(to: place.slot)
        return loop.now
    }

    func write(_ slot: Balancer.Slot, to note: CallNote) {
        let slots = slotsByName
        guard let index = slots.firstIndex(of: slot) else { return }
        note.sent(to: index + 1, of: slots.count)
    }

    /// The address with a number as `CallNote` has it.
    func slot(number: Int) -> Balancer.Slot? {
        let slots = slotsByName
        return slots.indices.contains(number - 1) ? slots[number - 1] : nil
    }

    private var slotsByName: [Balancer.Slot] {
        links.map { (slot: $0.slot, name: $0.link.address.description) }.sorted { $0.name < $1.name }.map(\.slot)
    }

    func failed(_ place: Place, _ failure: AttemptFailure, since start: MonotonicTime) {
        ended(place.slot, failure.outcome, since: start)
        // The connection is full, or the server is leaving.
        if failure.wasNotStarted { slots[place.slot]?.refused() }
    }

    func ended(_ slot: Balancer.Slot, _ outcome: Balancer.Outcome, since start: MonotonicTime) {
        balancer.ended(slot, outcome, since: start, at: loop.now)
        if slots[slot]?.isLeaving == true { forgetIfGone(slot) }
    }

    /// Returns when the call is to be tried again; otherwise throws its failure.
    func prepareRetry(
        _ attempts: inout Attempts, after failure: AttemptFailure, repeatable: Bool, _ deadline: MonotonicTime
    ) async throws(RPCError) {
        if Task.isCancelled || isClosed { throw failure.error }
        switch attempts.step(after: failure, repeatable: repeatable) {
        case .giveUp: throw failure.error
        case .move: return
        case .retry:
            let hasOther = balancer.hasOther(than: attempts.tried)
            let wait = hasOther ? nil : pauseEnd(attempts)
            if let wait, wait >= min(deadline, loop.now + Self.longestPause) { throw failure.error }
            guard budget.takeRetry(at: loop.now) else { throw failure.error }
            guard let wait else { return }
            do throws(AttemptFailure) { try await pause(until: wait) } catch { throw error.error }
        }
    }

    /// When to try the same address again: after a growing pause, and not before an address may be dialled.
    private func pauseEnd(_ attempts: Attempts) -> MonotonicTime {
        let time = loop.now + attempts.pause(using: &random)
        let dial = links.map { $0.link.standing == .down ? $0.link.retryTime : loop.now }.min()
        return max(time, dial ?? time)
    }
}

// MARK: finding a connection

/// Where a call is sent.
struct Place: Sendable {
    let slot: Balancer.Slot
    let connection: ClientConnection
}

extension Channel {
    /// Opens a stream; messages that come are put into `pending`. It is tried once, at another address if there is one.
    func open(
        _ pending: PendingCall, _ call: Call, _ deadline: MonotonicTime?, tried: [Balancer.Slot] = []
    ) async throws(AttemptFailure) -> (slot: Balancer.Slot, connection: ClientConnection, id: UInt32) {
        if tried.isEmpty { budget.callStarted(at: loop.now) }
        let place =
            if let found = find(tried, isStream: true) {
                found
            } else {
                try await expectPlace(connectingEnd(deadline), isStream: true)
            }
        balancer.opened(place.slot)
        var call = call
        return (place.slot, place.connection, try send(&call, pending, deadline, place.connection))
    }

    /// A stream at an address had its first answer, or ended without one. This shows whether the address answers: one
    /// that fails at once has the fewest open streams, and would be given all the next ones.
    func began(_ slot: Balancer.Slot, _ outcome: Balancer.Outcome) {
        balancer.streamBegan(slot, outcome, at: loop.now)
    }

    /// The attempts so far of a stream that is to be tried again; otherwise throws its failure.
    func nextAttempt(
        _ attempts: Attempts, after failure: AttemptFailure, repeatable: Bool, _ deadline: MonotonicTime?
    ) async throws(RPCError) -> Attempts {
        var attempts = attempts
        try await prepareRetry(&attempts, after: failure, repeatable: repeatable, connectingEnd(deadline))
        return attempts
    }

    private func connectingEnd(_ deadline: MonotonicTime?) -> MonotonicTime {
        deadline ?? loop.now + Self.connectingTime
    }

    /// Counts the call at once, so that the next choice sees it. Sends how much time is left.
    func send(
        _ call: inout Call, _ pending: PendingCall, _ deadline: MonotonicTime?, _ connection: ClientConnection
    ) throws(AttemptFailure) -> UInt32 {
        if let deadline { call.timeoutUs = deadline.nanoseconds(since: .now) / 1000 }
        return try connection.onLoop { connection throws(AttemptFailure) in
            try connection.open(pending, &call, deadline: deadline)
        }
    }

    /// Waits for a connection that takes a call. Fails at once when there is nothing to wait for.
    private func expectPlace(_ deadline: MonotonicTime, isStream: Bool = false) async throws(AttemptFailure) -> Place {
        while true {
            let seen = waiting.changes
            if let found = find([], isStream: isStream) { return found }
            try expectChange()
            try await change(after: seen, before: deadline)
        }
    }

    /// An address and a connection to it that takes a call now, at an address not yet tried if there is one.
    func find(_ tried: [Balancer.Slot], isStream: Bool = false) -> Place? {
        if isClosed || division != nil { return nil }
        if loop.now >= nextDial { dialMissing(mayWait: false) }
        if isStream { countStreams() }
        guard let slot = balancer.choose(at: loop.now, tried: tried, isStream: isStream), let link = slots[slot]
        else { return nil }
        if let connection = isStream ? link.freeForStream : link.ready {
            return Place(slot: slot, connection: connection)
        }
        return findOther(than: slot, tried, isStream: isStream)
    }

    /// When all connections to the chosen address are full, or the server is leaving.
    private func findOther(than chosen: Balancer.Slot, _ tried: [Balancer.Slot], isStream: Bool) -> Place? {
        var slot = chosen
        var tried = tried
        for _ in 0..<slots.count {
            guard let link = slots[slot] else { return nil }
            if let connection = isStream ? link.freeForStream : link.free {
                return Place(slot: slot, connection: connection)
            }
            balancer.set(slot, link.standing, at: loop.now)
            tried.append(slot)
            guard let next = balancer.choose(at: loop.now, tried: tried, isStream: isStream) else { return nil }
            slot = next
        }
        return nil
    }

    /// Makes sure that a call without a connection has something to wait for; throws when there is nothing.
    private func expectChange() throws(AttemptFailure) {
        if isClosed { throw AttemptFailure(.lasting, RPCError(.unavailable, "the client is closed")) }
        if let division {
            let error = callee.error(.failedPrecondition, division, shown: "has replicas that keep different data")
            throw AttemptFailure(error, wasNotStarted: true)
        }
        guard !links.isEmpty else { return try expectAddresses() }
        if try grow() { return }
        dialMissing(mayWait: true)
        guard links.contains(where: { $0.link.isComing }) else {
            throw AttemptFailure(.unreachable, callee.error(.unavailable, lastError))
        }
    }

    private func expectAddresses() throws(AttemptFailure) {
        if loop.now < lookupRetryTime { throw AttemptFailure(.lasting, callee.error(.unavailable, lastError)) }
        askForAddresses()
    }

    /// When every open connection is full: dials one more. False when none is open.
    private func grow() throws(AttemptFailure) -> Bool {
        let full = links.filter { !$0.link.isLeaving && $0.link.standing == .up }
        if full.isEmpty { return false }
        if full.contains(where: { $0.link.isComing }) { return true }
        let now = loop.now
        guard let (slot, link) = full.first(where: { $0.link.mayGrow && $0.link.retryTime <= now }) else {
            throw self.full
        }
        dial(slot, link)
        return true
    }

    /// Only full connections were found.
    private var full: AttemptFailure {
        let count = links.reduce(0) { $0 + $1.link.connections.count }
        let error = callee.error(
            .resourceExhausted, "\(count) connections to \(target) are full of calls", shown: "takes no more calls now")
        return AttemptFailure(error, wasNotStarted: true)
    }
}
