import Arguments
import Contracts
import EventLoops
import RPC
import Terminal
import Wire

/// `waymark stats`: the load of a server.
struct StatsCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["stats"], summary: "a server's counters and load, repeated until Ctrl-C",
        flags: [
            Flag("interval", "TIME", "how often, 100ms to 1h; 1s when not given"),
            Flag("once", "what was counted since the server started, once"),
        ] + Flag.client,
        examples: ["stats", "stats --target house.local:7700 --interval 5s", "stats --once --json"])

    private let options: ClientOptions
    private let interval: Duration?
    private let isOnce: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        interval = try arguments.duration("interval")
        isOnce = arguments.has("once")
        if let interval, !WatchStatsRequest.intervalRange.contains(interval) {
            throw UsageError("--interval is \(arguments.text("interval") ?? ""), allowed is 100ms to 1h")
        }
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(options.target) { link in
            let client = StatsServiceClient(link.client)
            if isOnce { try await once(client, session) } else { try await watch(client, session) }
        }
        return .success
    }

    private func once(_ client: StatsServiceClient, _ session: Session) async throws {
        let stats = try await client.getStats(GetStatsRequest(), options.call).stats ?? ServerStats()
        try session.answer(stats) { StatsView($0).lines(on: session.console.output) }
    }

    private func watch(_ client: StatsServiceClient, _ session: Session) async throws {
        let call = options.longCall
        let request = WatchStatsRequest(interval: interval.map { DurationMessage($0) })
        var screen = WatchScreen(session)
        var progress = WatchedStats()
        try await Watch(deadline: call.deadline).run(&progress) { _ in
            client.watchStats(request, call)
        } show: { event, progress in
            let view = StatsView(progress.stats)
            switch event {
            case .message: try screen.show(progress.stats, lines: view.lines, line: view.line)
            case .broken: screen.broken(lines: view.lines)
            }
        }
    }
}

/// The load of a server, by its last message. It has no end.
struct WatchedStats: WatchProgress {
    private(set) var stats = ServerStats()
    private(set) var hasBegun = false
    let isSettled = false
    let isGone = false

    mutating func apply(_ message: WatchStatsResponse) {
        hasBegun = true
        stats = message.stats ?? ServerStats()
    }
}
