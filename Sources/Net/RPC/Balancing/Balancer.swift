package import EventLoops

/// Knows the addresses of a target, and chooses one for each call. A value that does no I/O and is given the time.
///
/// Two addresses are drawn at random, and the one with the lower load is taken: (calls that wait for their answer + 1)
/// ×
/// latency, as Finagle's Peak EWMA has it. See Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing"
/// (IEEE TPDS 12, 2001) for the two choices, and `LatencyAverage` for the latency.
package struct Balancer: Sendable {
    /// Names an address from `add` to `remove`.
    package typealias Slot = Int

    /// The state of the connection to an address.
    package enum LinkState: Int, Sendable {
        /// No connection.
        case down
        /// A connection whose server has not sent hello: used when there is nothing better.
        case greeting
        case up
    }

    /// How one attempt of a call ended.
    package enum Outcome: Sendable {
        /// With an answer, which may be an error of the method itself.
        case answered
        /// The caller cancelled it.
        case cancelled
        /// DEADLINE_EXCEEDED.
        case late
        /// RESOURCE_EXHAUSTED.
        case refused
        /// UNAVAILABLE.
        case failed
        /// Certainly not started: this proves nothing about the address.
        case notStarted
    }

    struct Entry {
        var link = LinkState.down
        var isLeaving = false
        /// Whether it starts at full weight the first time it is up.
        var isWarm: Bool
        var latency = LatencyAverage()
        var slowStart: SlowStart
        var ejection: Ejection
        var statistics: AddressStatistics

        /// A call ended after so many nanoseconds.
        mutating func ended(_ outcome: Outcome, _ elapsed: UInt64, at now: MonotonicTime) {
            statistics.outstanding -= 1
            switch outcome {
            case .answered:
                latency.add(elapsed, at: now)
                ejection.succeeded(at: now)
            case .cancelled: tookAtLeast(elapsed, at: now)
            case .late:
                statistics.failures += 1
                tookAtLeast(elapsed, at: now)
            case .refused, .failed:
                statistics.failures += 1
                tookAtLeast(max(elapsed, Balancer.refusal), at: now)
            case .notStarted: statistics.calls -= 1
            }
        }

        /// A call would have taken longer than `elapsed`: this never makes an address look faster.
        private mutating func tookAtLeast(_ elapsed: UInt64, at now: MonotonicTime) {
            guard Double(elapsed) > latency.estimate(at: now) ?? 0 else { return }
            latency.add(elapsed, at: now)
        }
    }

    let rules: BalancingRules
    var random: QuickRandom
    var entries: [Entry?] = []
    /// The candidates: the addresses in the best state that any has.
    var choices: [Slot] = []
    /// When the next ejection ends.
    var nextReadmission = MonotonicTime.distantFuture
    /// When the last candidate is warm.
    var warmTime = MonotonicTime(nanoseconds: 0)

    /// A call that was refused or failed counts as taking this long, in nanoseconds: refusing quickly must not attract
    /// more calls.
    private static let refusal: UInt64 = 1_000_000_000

    package init(_ rules: BalancingRules = BalancingRules(), random: QuickRandom = QuickRandom()) {
        self.rules = rules
        self.random = random
    }
}

// MARK: which addresses there are

extension Balancer {
    /// Adds an address. A warm one begins with its full share: there is no sign that it has just started.
    package mutating func add(_ address: SocketAddress, isWarm: Bool) -> Slot {
        let entry = Entry(
            isWarm: isWarm, slowStart: SlowStart(window: rules.slowStart), ejection: Ejection(rules),
            statistics: AddressStatistics(address))
        if let free = entries.firstIndex(where: { $0 == nil }) {
            entries[free] = entry
            return free
        }
        entries.append(entry)
        return entries.count - 1
    }

    /// Sets whether the name has lost this address. An address that is leaving is not chosen any more.
    package mutating func set(_ slot: Slot, isLeaving: Bool, at now: MonotonicTime) {
        entries[slot]?.isLeaving = isLeaving
        refresh(at: now)
    }

    /// Removes an address. No call may be waiting for it.
    package mutating func remove(_ slot: Slot, at now: MonotonicTime) {
        entries[slot] = nil
        refresh(at: now)
    }

    package mutating func set(_ slot: Slot, _ link: LinkState, at now: MonotonicTime) {
        guard let entry = entries[slot], entry.link != link else { return }
        entries[slot]?.link = link
        if link == .up {
            if !entry.isWarm { warmUp(slot, at: now) }
            entries[slot]?.isWarm = false
        }
        refresh(at: now)
    }

    private mutating func warmUp(_ slot: Slot, at now: MonotonicTime) {
        entries[slot]?.slowStart.begin(at: now)
        entries[slot]?.latency = LatencyAverage()
    }

    /// Readmits addresses whose ejection is over, and computes the candidates again.
    mutating func refresh(at now: MonotonicTime) {
        for slot in entries.indices where entries[slot]?.ejection.readmit(at: now) == true { warmUp(slot, at: now) }
        let present = entries.indices.filter { entries[$0]?.isLeaving == false }
        nextReadmission = present.compactMap { entries[$0]?.ejection.until }.min() ?? .distantFuture
        let up = present.filter { entries[$0]?.link == .up }
        choices = up.filter { entries[$0]?.ejection.until == nil }
        // When all that are left were ejected, they are better than none.
        if choices.isEmpty { choices = up }
        if choices.isEmpty { choices = present.filter { entries[$0]?.link == .greeting } }
        warmTime = choices.compactMap { entries[$0]?.slowStart.end }.max() ?? MonotonicTime(nanoseconds: 0)
    }
}

// MARK: outcomes of calls

extension Balancer {
    /// A call is sent to an address.
    package mutating func started(_ slot: Slot, isRetry: Bool = false) {
        entries[slot]?.statistics.calls += 1
        entries[slot]?.statistics.outstanding += 1
        if isRetry { entries[slot]?.statistics.retries += 1 }
    }

    /// A stream is opened at an address.
    package mutating func opened(_ slot: Slot) { entries[slot]?.statistics.calls += 1 }

    /// A call that was sent to an address at `start` has ended.
    package mutating func ended(_ slot: Slot, _ outcome: Outcome, since start: MonotonicTime, at now: MonotonicTime) {
        entries[slot]?.ended(outcome, now.nanoseconds(since: start), at: now)
        if outcome == .failed { failed(slot, at: now) }
    }

    /// A stream at an address had its first answer, or ended without any. How long that took says nothing: a watch
    /// waits for changes.
    package mutating func streamBegan(_ slot: Slot, _ outcome: Outcome, at now: MonotonicTime) {
        switch outcome {
        case .answered: entries[slot]?.ejection.succeeded(at: now)
        case .cancelled: break
        case .late, .refused: entries[slot]?.statistics.failures += 1
        case .failed:
            entries[slot]?.statistics.failures += 1
            failed(slot, at: now)
        case .notStarted: entries[slot]?.statistics.calls -= 1
        }
    }

    /// A call or a connection to the address failed.
    package mutating func failed(_ slot: Slot, at now: MonotonicTime) {
        guard entries[slot]?.ejection.failed() == true else { return }
        let present = entries.count { $0?.isLeaving == false }
        let ejected = entries.count { $0?.isLeaving == false && $0?.ejection.until != nil }
        guard (ejected + 1) * 2 <= present else { return }
        entries[slot]?.ejection.eject(at: now, using: &random)
        entries[slot]?.statistics.ejections += 1
        refresh(at: now)
    }

    /// How many calls are waiting for their answer there.
    package func outstanding(_ slot: Slot) -> Int { entries[slot]?.statistics.outstanding ?? 0 }

    /// Sets how many calls and streams are open at an address together.
    package mutating func count(open: Int, at slot: Slot) {
        let calls = outstanding(slot)
        entries[slot]?.statistics.streams = max(0, open - calls)
    }

    /// When an ejected address may be readmitted; nil when it is not ejected.
    package func ejectionEnd(_ slot: Slot) -> MonotonicTime? { entries[slot]?.ejection.until }

    /// What is known of an address; nil when there is none.
    package func statistics(_ slot: Slot, at now: MonotonicTime) -> AddressStatistics? {
        guard entries.indices.contains(slot), let entry = entries[slot] else { return nil }
        var statistics = entry.statistics
        if entry.ejection.until != nil { statistics.ejected = 1 }
        if let latency = entry.latency.estimate(at: now) { statistics.addLatency(latency) }
        return statistics
    }
}
