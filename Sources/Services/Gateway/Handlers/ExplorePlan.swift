import Contracts
import EventLoops
import RPC
import Wire

/// What is done for an answer of `Explore`, as it goes on.
struct ExplorePlan {
    private let start: MonotonicTime
    /// When the branches were asked.
    private let asked: MonotonicTime
    /// When the last branch answered, or the last step after them ended.
    private var mark: MonotonicTime
    private let wait: PlanStep
    private var branches: [String: [PlanStep]] = [:]
    private var rest: [PlanStep] = []

    /// The branches are asked now, for a call that arrived at `start`.
    init(since start: MonotonicTime) {
        self.start = start
        asked = .now
        mark = asked
        wait = PlanStep(
            name: "wait", depth: 1, start: DurationMessage(.zero), duration: DurationMessage(asked.since(start)))
    }

    /// A branch has answered, or failed.
    mutating func add(_ part: BranchPart) {
        mark = max(mark, part.end)
        let (began, whole) = (asked.since(start), part.end.since(asked))
        let step = PlanStep(
            name: part.report.name, depth: 1, start: DurationMessage(began), duration: DurationMessage(whole),
            facts: Self.facts(part))
        branches[part.report.name] = [step] + (part.explanation.map { Self.parts(of: $0, began, whole) } ?? [])
    }

    /// What was done since `begin`, or since the step before, is done.
    mutating func did(_ name: String, since begin: MonotonicTime? = nil) {
        let (begin, end) = (begin ?? mark, MonotonicTime.now)
        rest.append(
            PlanStep(
                name: name, depth: 1, start: DurationMessage(begin.since(start)),
                duration: DurationMessage(end.since(begin))))
        mark = end
    }

    /// The answer is there, but for these fields of it: its time ends with the last step.
    var tail: ExploreParts {
        let elapsed = DurationMessage(mark.since(start))
        let whole = PlanStep(name: "explore", start: DurationMessage(.zero), duration: elapsed)
        let parts = ExploreBranch.all.flatMap { branches[$0.name] ?? [] }
        return ExploreParts(elapsed: elapsed, plan: AnswerPlan(steps: [whole, wait] + parts + rest))
    }
}

extension ExplorePlan {
    private static func facts(_ part: BranchPart) -> [PlanFact] {
        let code = RPCCode(wire: part.report.code)
        var facts = [PlanFact(name: "status", value: code == .ok ? "ok" : code.description)]
        if code == .ok {
            facts.append(PlanFact(name: "found", value: "\(part.report.count)\(part.report.truncated ? "+" : "")"))
        }
        guard let replica = part.note?.replica else { return facts }
        facts.append(PlanFact(name: "replica", value: "\(replica.number) of \(replica.count)"))
        if replica.attempts > 1 { facts.append(PlanFact(name: "attempts", value: "\(replica.attempts)")) }
        return facts
    }

    /// What a service did during a branch. Its clock is not compared with the one here: the way there is taken to be as
    /// long as the way back.
    private static func parts(
        of explanation: SearchExplanation, _ began: Duration, _ whole: Duration
    ) -> [PlanStep] {
        let own = [explanation.queued, explanation.duration, explanation.encoding].map { $0?.duration ?? .zero }
        let way = max(.zero, whole - own.reduce(.zero, +))
        let searched = [
            PlanFact(name: "indexes", value: "\(explanation.indexCount)"),
            PlanFact(name: "visited", value: "\(explanation.visitedCount)"),
            PlanFact(name: "tested", value: "\(explanation.testedCount)"),
            PlanFact(name: "filtered", value: "\(explanation.filteredCount)"),
        ]
        let done: [(name: String, duration: Duration, facts: [PlanFact])] = [
            ("send", way / 2, []), ("queue", own[0], []), ("search", own[1], searched),
            ("encode", own[2], [PlanFact(name: "found", value: "\(explanation.foundCount)")]),
            ("receive", way - way / 2, []),
        ]
        var begin = began
        return done.map { part in
            defer { begin += part.duration }
            return PlanStep(
                name: part.name, depth: 2, start: DurationMessage(begin), duration: DurationMessage(part.duration),
                facts: part.facts)
        }
    }
}
