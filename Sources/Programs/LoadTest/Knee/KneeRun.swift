package import EventLoops

/// Carries out a search for the knee.
package struct KneeRun: Sendable {
    /// One load of the search.
    package struct Probe: Sendable {
        enum Verdict: String, Sendable {
            case kept
            case missed
            /// It missed, but this program was too slow to decide which side was at fault.
            case unclear
        }

        let plan: LoadPlan
        package let tally: LoadTally
        let isConfirmation: Bool
        let verdict: Verdict
    }

    package struct Result: Sendable {
        var probes: [Probe] = []
        /// Calls a second; nil when even the lowest rate misses the goal.
        var rate: Double?
        /// Why it is not sure; nil when it is.
        var doubt: String?

        /// The run that says most about the rate that was found: the one that confirmed it, if there is one.
        package var best: Probe? { probes.last { $0.verdict == .kept && $0.plan.rate == rate } }
    }

    private let plan: LoadPlan
    private let longest: Duration
    private let now: @Sendable () -> MonotonicTime
    private let load: @Sendable (LoadPlan) async -> LoadTally
    private let show: @Sendable (Probe) -> Void

    /// - Parameters:
    ///   - plan: of each probe, but for its rate. Its goal is the search's.
    ///   - longest: what the search may take in all.
    ///   - load: runs one load.
    ///   - show: called with each probe when it has ended.
    package init(
        plan: LoadPlan, longest: Duration, now: @escaping @Sendable () -> MonotonicTime,
        load: @escaping @Sendable (LoadPlan) async -> LoadTally, show: @escaping @Sendable (Probe) -> Void
    ) {
        self.plan = plan
        self.longest = longest
        self.now = now
        self.load = load
        self.show = show
    }

    package func run() async -> Result {
        let end = now() + longest
        var search = KneeSearch(first: plan.rate ?? 100)
        var result = Result()
        while case .probe(let rate, let isConfirmation) = search.next {
            guard !Task.isCancelled else { return Self.ended(result, "it was stopped") }
            guard now() < end else { return Self.ended(result, "the time was up") }
            let probe = await probe(rate, isConfirmation)
            if Task.isCancelled { return Self.ended(result, "it was stopped") }
            result.probes.append(probe)
            show(probe)
            search.record(keepsGoal: probe.verdict == .kept)
        }
        if case .found(let rate) = search.next { result.rate = rate }
        if Self.isLimitedByClient(result) {
            result.doubt = "above it this program was too slow itself: the target may do more"
        }
        return result
    }

    private func probe(_ rate: Double, _ isConfirmation: Bool) async -> Probe {
        var plan = plan
        plan.pace = .open(rate: rate)
        if isConfirmation { plan.duration *= 2 }
        let tally = await load(plan)
        let verdict: Probe.Verdict =
            if Self.keeps(plan, tally) { .kept } else { Doubt.of(plan, tally).isEmpty ? .missed : .unclear }
        return Probe(plan: plan, tally: tally, isConfirmation: isConfirmation, verdict: verdict)
    }

    /// Whether 99 of 100 calls were answered well, with all branches, in the goal's time.
    static func keeps(_ plan: LoadPlan, _ tally: LoadTally) -> Bool {
        guard let goal = plan.goal, tally.length >= plan.duration, tally.latency.count > 0 else { return false }
        let bad = tally.failed + tally.cutOff + tally.incomplete
        return tally.latency.percentile(0.99) <= goal.clampedNanoseconds && bad * 100 <= tally.latency.count
    }

    private static func ended(_ result: Result, _ why: String) -> Result {
        var result = result
        result.rate = result.probes.filter { $0.verdict == .kept }.compactMap(\.plan.rate).max()
        result.doubt = "\(why) before the search was over"
        return result
    }

    /// Whether this program is what limits the rate.
    private static func isLimitedByClient(_ result: Result) -> Bool {
        let above = result.probes.filter { $0.verdict != .kept && ($0.plan.rate ?? 0) > result.rate ?? 0 }
        return above.min { $0.plan.rate ?? 0 < $1.plan.rate ?? 0 }?.verdict == .unclear
    }
}
