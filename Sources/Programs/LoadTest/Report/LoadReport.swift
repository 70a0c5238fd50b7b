import EventLoops
package import RPC

/// The results of a target under a load.
package struct LoadReport: Sendable {
    /// "waymark.places.v1.PlacesService/Nearby"
    let method: String
    let target: String
    /// "1.00 km, limit 20, 2,000 centres of its catalog"
    let requests: String
    let load: LoadOptions
    /// What is reported: the whole load, or the run at the knee.
    let tally: LoadTally
    let knee: KneeRun.Result?
    let check: AnswerCheck?

    package init(
        method: String, target: String, requests: String, load: LoadOptions, tally: LoadTally, knee: KneeRun.Result?,
        check: AnswerCheck?
    ) {
        self.method = method
        self.target = target
        self.requests = requests
        self.load = load
        self.tally = tally
        self.knee = knee
        self.check = check
    }

    /// The shares of calls that are reported, with their names. 1 is the longest of all.
    static let shares: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1),
    ]

    /// The plan of what is reported.
    var plan: LoadPlan { knee?.best?.plan ?? load.plan }

    var doubts: [Doubt] { Doubt.of(plan, tally) }

    /// Whether it was stopped before its end.
    var isCutShort: Bool { tally.length < plan.duration }

    /// Whether the figures are valid, no answer was wrong, and a rate kept the goal where one was sought.
    package var isSound: Bool {
        let hasKnee = knee.map { $0.rate != nil } ?? true
        return doubts.isEmpty && check?.wrong.isEmpty ?? true && hasKnee
    }

    /// The most frequent error, when no call was answered.
    package var failure: RPCError? {
        guard tally.answered == 0 else { return nil }
        let worst = tally.failures.max { $0.value.latency.count < $1.value.latency.count }
        return worst.map { RPCError($0.key, $0.value.message) }
    }
}
