import Contracts
import Terminal
import Wire

/// The plan of an answer as a waterfall: a line for each step, with a bar from when it began to when it ended.
struct PlanView {
    let plan: AnswerPlan
    let sink: TextSink

    private static let widestBars = 60
    private static let narrowestBars = 10
    /// Bars where lines have no end.
    private static let usualBars = 40

    var lines: [String] {
        var table = Table(columns: [
            .init(title: "STEP", minimum: 12), .init(title: "START", isRight: true, rank: 2),
            .init(title: "TIME", isRight: true), .init(title: ""),
            .init(title: "DETAILS", minimum: 12, rank: 1, style: .faint),
        ])
        table.rows = plan.steps.map { step in
            [
                .init(Self.name(step)), .init(Self.text(step.start)), .init(Self.text(step.duration)),
                .init(bar(step), Self.style(step)),
                .init(Self.details(step)),
            ]
        }
        return table.lines(on: sink)
    }

    /// How many columns bars have: half of those that the steps leave.
    private var width: Int {
        guard let width = sink.width else { return Self.usualBars }
        let names = plan.steps.map { DisplayWidth.of(Self.name($0)) }.max() ?? 0
        return min(max(Self.narrowestBars, (width - names - 22) / 2), Self.widestBars)
    }

    /// From the column of its start to that of its end; at least one wide.
    private func bar(_ step: PlanStep) -> String {
        let whole = plan.steps.map { Self.seconds($0.start) + Self.seconds($0.duration) }.max() ?? 0
        guard whole > 0 else { return "" }
        let (start, end) = (Self.seconds(step.start), Self.seconds(step.start) + Self.seconds(step.duration))
        let first = min(Int(start / whole * Double(width)), width - 1)
        let last = min(max(first + 1, Int((end / whole * Double(width)).rounded())), width)
        return String(repeating: " ", count: first) + String(repeating: "█", count: last - first)
    }

    private static func style(_ step: PlanStep) -> Style {
        if step.facts.contains(where: { $0.name == "status" && $0.value != "ok" }) { return .red }
        return step.depth == 1 ? .green : .faint
    }

    /// What is known of it; that all went well needs no words.
    private static func details(_ step: PlanStep) -> String {
        let facts = step.facts.filter { $0.name != "status" || $0.value != "ok" }
        return facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    }

    private static func name(_ step: PlanStep) -> String {
        String(repeating: "  ", count: min(Int(step.depth), 4)) + step.name
    }

    /// Steps of a service take microseconds.
    private static func text(_ time: DurationMessage?) -> String {
        guard let duration = time?.duration else { return "" }
        guard duration < .microseconds(950), duration >= .zero else { return Quantity.duration(duration) }
        return "\(Int((duration / .microseconds(1)).rounded())) µs"
    }

    /// 0 of what is no time.
    private static func seconds(_ time: DurationMessage?) -> Double {
        guard let duration = time?.duration, duration > .zero else { return 0 }
        return duration / .seconds(1)
    }
}
