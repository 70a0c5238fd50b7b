import EventLoops
import RPC

/// How a target fared under a load.
struct LoadReport: Sendable {
    /// "waymark.places.v1.PlacesService/Nearby"
    let method: String
    let target: String
    /// "1.00 km, limit 20, 2,000 centres of its catalog"
    let requests: String
    let load: LoadOptions
    /// What is told of: the whole load, or the run at the knee.
    let tally: LoadTally
    let knee: KneeRun.Result?
    let check: AnswerCheck?

    /// The shares of calls that are told of, with their names. 1 is the longest of all.
    static let shares: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1),
    ]

    /// The plan of what is told of.
    var plan: LoadPlan { knee?.best?.plan ?? load.plan }

    var doubts: [Doubt] { Doubt.of(plan, tally) }

    /// Whether it was stopped before it was over.
    var isCutShort: Bool { tally.length < plan.duration }

    /// 1 when the figures are not valid, an answer was wrong or no rate kept the goal; that of the most frequent error
    /// when no call was answered.
    var exitCode: ExitCode {
        if tally.answered == 0, let worst = tally.failures.max(by: { $0.value.latency.count < $1.value.latency.count })
        {
            return ExitCode(RPCError(worst.key, worst.value.message))
        }
        let hasKnee = knee.map { $0.rate != nil } ?? true
        return doubts.isEmpty && check?.wrong.isEmpty ?? true && hasKnee ? .success : .failure
    }
}
