import Contracts
import EventLoops
import Geo
import RPC
import Wire

/// Asks all services at once and composes one answer. A branch that fails or is late only loses its own part.
///
/// What a branch found stays packed on their way through: see parts.proto. Places that are the same are one of them.
struct ExploreHandler: ExploreServiceHandler {
    let backends: Backends

    init(_ backends: Backends) { self.backends = backends }

    func explore(_ request: ExploreRequest, _ context: CallContext) async throws -> Packed<ExploreResponse> {
        let query = try ExploreQuery(request)
        let options = Self.options(context, atMost: query.budget)
        var plan = query.explains ? ExplorePlan(since: context.start) : nil
        let parts = await askAll(query, options)
        var open = OpenBranches(query)
        for (branch, part) in zip(query.asked, parts) { open.add(part, of: branch) }
        let (answer, branches) = open.next()
        guard query.explains else {
            let elapsed = DurationMessage(MonotonicTime.now.since(context.start))
            return Packed(bytes: answer.packed(ExploreParts(branches: branches, elapsed: elapsed)))
        }
        for part in parts { plan?.add(part) }
        plan?.did("merge")
        let bytes = answer.packed(ExploreParts(branches: branches))
        plan?.did("encode")
        return Packed(bytes: bytes + (plan?.tail.packedBytes() ?? []))
    }

    /// Asks all branches at once, and gives their parts in the order of `query.asked`. What can be sent at once needs
    /// no task of its own.
    nonisolated(nonsending) private func askAll(_ query: ExploreQuery, _ options: CallOptions) async -> [BranchPart] {
        let sent = query.asked.map { (branch: $0, call: send($0, query, options)) }
        guard sent.allSatisfy({ $0.call != nil }) else { return await askAll(sent, query, options) }
        var parts: [BranchPart] = []
        parts.reserveCapacity(sent.count)
        for case (_, let call?) in sent { parts.append(await answer(of: call, query, options)) }
        return parts
    }

    private func askAll(
        _ sent: [(branch: ExploreBranch, call: SentBranch?)], _ query: ExploreQuery, _ options: CallOptions
    ) async -> [BranchPart] {
        await withTaskGroup(of: (Int, BranchPart).self) { group in
            var parts = [BranchPart?](repeating: nil, count: sent.count)
            for (index, (branch, call)) in sent.enumerated() where call == nil {
                group.addTask { (index, await run(branch, query, options)) }
            }
            for (index, (_, call)) in sent.enumerated() {
                if let call { parts[index] = await answer(of: call, query, options) }
            }
            for await (index, part) in group { parts[index] = part }
            return parts.compactMap(\.self)
        }
    }

    /// A branch's call: the client's, with less time.
    static func options(_ context: CallContext, atMost budget: Duration) -> CallOptions {
        var options = CallOptions(context)
        options.isHedged = true
        options.deadline = .now + BranchDeadline.allowed(budget: budget, clientWaits: context.remaining)
        return options
    }
}

// MARK: the stream

extension ExploreHandler {
    /// How long a late branch may take at most.
    private static let longestBranch: Duration = .seconds(30)

    private enum Event: Sendable {
        case answered(ExploreBranch, BranchPart)
        case budgetIsOver
    }

    func exploreStream(
        _ request: ExploreRequest, _ responses: ResponseWriter<ExploreStreamResponse>, _ context: CallContext
    ) async throws {
        let query = try ExploreQuery(request)
        let options = Self.options(context, atMost: Self.longestBranch)
        var plan = query.explains ? ExplorePlan(since: context.start) : nil
        try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            for branch in query.asked {
                group.addTask {
                    .answered(branch, await run(branch, query, options))
                }
            }
            group.addTask {
                try await Task.sleep(for: query.budget)
                return .budgetIsOver
            }
            var open = OpenBranches(query)
            while !open.waiting.isEmpty, let event = try await group.next() {
                switch event {
                case .budgetIsOver: open.budgetEnded()
                case .answered(let branch, let part):
                    open.add(part, of: branch)
                    plan?.add(part)
                }
                guard open.isDue else { continue }
                let begin = query.explains ? MonotonicTime.now : nil
                let (answer, news) = open.next()
                let parts = ExploreParts(branches: news)
                try await responses.write(packed: Self.packed(answer, parts, open.waiting, context))
                plan?.did("answer", since: open.waiting.isEmpty ? nil : begin)
            }
            var summary = ExploreParts(branches: open.reports)
            summary.plan = plan?.tail.plan
            try await responses.write(packed: Self.packed(ExploreAnswer(), summary, [], context, isLast: true))
        }
    }

    private static func packed(
        _ answer: ExploreAnswer, _ parts: ExploreParts, _ waiting: [ExploreBranch], _ context: CallContext,
        isLast: Bool = false
    ) -> [UInt8] {
        var parts = parts
        parts.elapsed = DurationMessage(MonotonicTime.now.since(context.start))
        return ExploreStreamParts(
            additions: answer.packed(parts), waiting: waiting.map(\.name), done: isLast
        ).packedBytes()
    }
}
