import EventLoops
package import Terminal

/// A search for the knee, as lines for a person.
package struct KneeView {
    private let result: KneeRun.Result
    private let goal: Duration?

    init(_ result: KneeRun.Result, goal: Duration?) {
        self.result = result
        self.goal = goal
    }

    func lines(on sink: TextSink) -> [String] {
        [answer.text(on: sink)] + (result.doubt.map { [StyledLine("\($0).", .yellow).text(on: sink)] } ?? [])
    }

    private var answer: StyledLine {
        let goal = Quantity.latency(goal?.clampedNanoseconds ?? 0)
        guard let rate = result.rate else {
            return StyledLine("No rate was found that keeps p99 within \(goal).", .red)
        }
        return StyledLine("knee: \(Quantity.rate(rate))", .bold).adding(
            ", the highest rate with p99 within \(goal)")
    }

    /// One step: "800/s  p99  12.3 ms  kept".
    package static func line(_ probe: KneeRun.Probe) -> StyledLine {
        let rate = Quantity.rate(probe.plan.rate ?? 0)
        let p99 = Quantity.latency(probe.tally.latency.percentile(0.99))
        let what = probe.isConfirmation ? "  confirming, twice as long" : ""
        let line = StyledLine("\(Self.padded(rate, 12))  p99 \(Self.padded(p99, 8))  ")
        switch probe.verdict {
        case .kept: return line.adding("kept", .green).adding(what, .faint)
        case .missed: return line.adding("missed", .red).adding(what, .faint)
        case .unclear: return line.adding("missed, but this program was too slow itself", .yellow)
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
