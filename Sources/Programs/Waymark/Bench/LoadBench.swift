import Arguments
import EventLoops
import LoadTest
import RPC
import Supervisor
import Synchronization
import Terminal

/// Loads a target and reports the results: what all load tests share.
struct LoadBench: Sendable {
    let client: ClientOptions
    let load: LoadOptions
    /// One in so many answers is kept for a check; nil for none.
    var sampled: Int?

    typealias Check =
        @Sendable (
            Workload, [AnswerSamples.Sample], any Transport, BlockingPool
        ) async throws -> AnswerCheck?

    /// - Parameters:
    ///   - prepare: makes the calls, asking the target for what they need.
    ///   - check: looks at the answers that were kept, when the load is over.
    func run(
        _ session: Session, prepare: (any Transport, BlockingPool) async throws -> Workload,
        check: @escaping Check = { _, _, _, _ in nil }
    ) async throws -> ExitCode {
        try await TargetLink.with(client.target, connections: load.http == nil ? load.connections : 1) { link in
            guard let http = load.http else {
                let transport = RPCTransport(client.target.description, clients: link.clients) { client.call }
                return try await run(transport, link, session, prepare, check)
            }
            let transport = HTTPTransport(
                http, connections: load.connections, on: link.loop, agent: Release.agent,
                timeout: client.timeout ?? .seconds(10), token: client.token)
            do {
                let code = try await run(transport, link, session, prepare, check)
                await transport.close()
                return code
            } catch {
                await transport.close()
                throw error
            }
        }
    }

    private func run(
        _ transport: any Transport, _ link: TargetLink, _ session: Session,
        _ prepare: (any Transport, BlockingPool) async throws -> Workload, _ check: @escaping Check
    ) async throws -> ExitCode {
        let samples = AnswerSamples(interval: sampled)
        let workload = try await prepare(transport, link.blocking)
        let caller = LoadCaller(workload: workload, transport: transport, samples: samples)
        try await caller.tryOnce()
        let (tally, knee) = try await measure(caller, on: link.loop, session)
        let report = LoadReport(
            method: workload.method.path, target: transport.target,
            requests: workload.description, load: load, tally: tally, knee: knee,
            check: try await check(workload, samples.all, transport, link.blocking))
        try await show(report, link, session)
        return ExitCode(report)
    }

    private func show(_ report: LoadReport, _ link: TargetLink, _ session: Session) async throws {
        if session.wantsJSON {
            session.console.print(try report.json())
        } else {
            LoadView(report).lines(on: session.console.output).forEach(session.console.print)
        }
        if let page = load.page {
            try await link.blocking.run {
                try OutputFile(path: page, mayReplace: true).write(Array(LoadPage(report).html.utf8))
            }
        }
    }

    private func measure(
        _ caller: LoadCaller, on loop: EventLoop, _ session: Session
    ) async throws -> (LoadTally, KneeRun.Result?) {
        let signals = try StopSignals()
        let stop = try await DescriptorWaiter(of: signals.descriptor, on: loop)
        let timer = try await PreciseTimer(on: loop)
        let screen = LoadScreen(session)
        let result = await Self.untilSignal(stop) {
            @Sendable func run(_ plan: LoadPlan) async -> LoadTally {
                let tally = await LoadRun(plan, on: loop, clock: timer, progress: screen.show, caller.call).run()
                screen.clear()
                return tally
            }
            guard let longest = load.kneeTime else { return (await run(load.plan), KneeRun.Result?.none) }
            let knee = await KneeRun(
                plan: load.plan, longest: longest, now: { .now }, load: run, show: screen.show
            ).run()
            return (knee.best?.tally ?? LoadTally(), knee)
        }
        await timer.close()
        await stop.close()
        signals.end()
        guard let result else { throw CancellationError() }
        return result
    }

    /// Runs `body`; a signal cancels it, and what it gives then is the result.
    private static func untilSignal<R: Sendable>(
        _ stop: DescriptorWaiter, _ body: @escaping @Sendable () async -> R
    ) async -> R? {
        await withTaskGroup(of: R?.self) { group in
            group.addTask { await body() }
            group.addTask {
                await stop.wait()
                return nil
            }
            var result: R?
            for await step in group {
                result = result ?? step
                group.cancelAll()
            }
            return result
        }
    }
}

extension ExitCode {
    /// 1 when a report is not sound; the code of the most frequent error when no call was answered.
    init(_ report: LoadReport) {
        if let failure = report.failure { self.init(failure) } else { self = report.isSound ? .success : .failure }
    }
}

/// Shows a person how far a load is: a redrawn line on a terminal, and a line for each step of a search.
final class LoadScreen: Sendable {
    private let line: Mutex<ProgressLine>
    private let sink: TextSink
    private let isSilent: Bool

    init(_ session: Session) {
        sink = session.console.messages
        isSilent = session.wantsJSON
        line = Mutex(ProgressLine(session.console.messages))
    }

    func show(_ progress: LoadProgress) {
        guard sink.isTerminal, !isSilent else { return }
        line.withLock { $0.show(progress.text) }
    }

    func show(_ probe: KneeRun.Probe) {
        guard !isSilent else { return }
        clear()
        sink.write(KneeView.line(probe).text(on: sink) + "\n")
    }

    func clear() { line.withLock { $0.clear() } }
}
