import EventLoops

extension ConnectionPool {
    /// A connection that takes a call now, at an address not yet tried if there is one; nil when there is none. The
    /// call counts there from now on.
    func find(_ tried: [Balancer.Slot], isRetry: Bool, isStream: Bool) -> Place? {
        if isClosed || division != nil { return nil }
        if loop.now >= nextDial { dialMissing(mayWait: false) }
        return links.choose(tried, isRetry: isRetry, isStream: isStream, at: loop.now)
    }

    /// Waits for a connection that takes a call. Fails at once when there is nothing to wait for.
    func expect(
        isRetry: Bool, isStream: Bool, before deadline: MonotonicTime
    ) async throws(AttemptFailure) -> Place {
        while true {
            let seen = waiting.onLoop { $0.changes }
            if let found = find([], isRetry: isRetry, isStream: isStream) { return found }
            try expectChange()
            switch await waiting.change(after: seen, before: deadline) {
            case .now: continue
            case .late: throw late
            case .cancelled: throw .cancelled
            }
        }
    }

    private var late: AttemptFailure {
        let error = callee.error(
            .deadlineExceeded, "\(target) was not connected before the deadline", shown: "did not answer in time")
        return AttemptFailure(error, wasNotStarted: true)
    }

    /// A call that was sent has ended.
    func ended(_ place: Place, _ outcome: Balancer.Outcome) { links.ended(place, outcome, at: loop.now) }

    func failed(_ place: Place, _ failure: AttemptFailure) {
        ended(place, failure.outcome)
        // The connection is full, or the server is leaving.
        if failure.wasNotStarted { links[place.slot]?.refused() }
    }

    /// The earliest time at which an address can be called: now, if one is connected.
    var callTime: MonotonicTime? {
        links.all.map { $0.link.state == .down ? $0.link.retryTime : loop.now }.min()
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
        guard links.all.contains(where: { $0.link.isComing }) else {
            throw AttemptFailure(.unreachable, callee.error(.unavailable, lastError))
        }
    }

    /// When every open connection is full: dials one more. False when none is open.
    private func grow() throws(AttemptFailure) -> Bool {
        let full = links.all.filter { !$0.link.isLeaving && $0.link.state == .up }
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
        let count = links.all.reduce(0) { $0 + $1.link.connections.count }
        let error = callee.error(
            .resourceExhausted, "\(count) connections to \(target) are full of calls", shown: "takes no more calls now")
        return AttemptFailure(error, wasNotStarted: true)
    }
}
