import Arguments
import Contracts
import Networks
import RPC
import Terminal
import Wire

/// `waymark explore`: everything around a point, in one answer or as it comes.
struct ExploreCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["explore"], summary: "places, pins, photos and posts around a point, in one answer",
        positionals: Positional.point,
        flags: ExploreFlags.all(limit: fewOfEach) + [
            Flag("stream", "show what is there when the budget is over, then each late branch as it comes"),
            Flag("explain", "show what was done for the answer, and when"),
        ] + Flag.client,
        examples: [
            "explore 60.1699 24.9384 --explain", "explore 48.8584 2.2945 --radius 5000 --budget 200",
            "explore 60.1699 24.9384 --budget 50 --stream",
        ])

    /// As many as a terminal shows of each kind.
    private static let fewOfEach: UInt32 = 10

    private let options: ClientOptions
    private let request: ExploreRequest
    private let streams: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        var request = try ExploreFlags.request(arguments)
        request.centre = try arguments.coordinate()
        request.limit = request.limit ?? Self.fewOfEach
        request.explain = arguments.has("explain")
        self.request = request
        streams = arguments.has("stream")
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(options.target) { link in
            let client = ExploreServiceClient(link.client)
            if streams {
                // Its branches have an end of their own.
                try await show(client.exploreStream(request, options.longCall), session)
            } else {
                let answer = try await client.explore(request, options.call)
                try session.answer(answer) { ExploreView(response: $0, sink: session.console.output).lines }
            }
        }
        return .success
    }

    /// Each answer when it comes: for a program a line of JSON, for a person the branches that it has, and at last how
    /// all went.
    private func show<Answers: AsyncSequence>(_ answers: Answers, _ session: Session) async throws
    where Answers.Element == ExploreStreamResponse {
        var line = ProgressLine(session.console.messages)
        defer { line.clear() }
        for try await answer in answers {
            line.clear()
            if session.wantsJSON {
                session.console.print(try Schemas.json(answer))
            } else {
                let view = ExploreView(response: answer.additions ?? ExploreResponse(), sink: session.console.output)
                (answer.done ? view.summary : view.sections).forEach(session.console.print)
                if !answer.waiting.isEmpty { line.show("waiting for \(answer.waiting.joined(separator: ", "))") }
            }
            if answer.done { return }
        }
        throw RPCError(.unavailable, "the gateway ended the stream before its last answer")
    }
}

/// What is said of a search of all services.
enum ExploreFlags {
    private static let live = Network.livePlaces.map(\.name).joined(separator: ", ")

    /// - Parameter limit: how many of each there are when the command line does not say.
    static func all(limit: UInt32) -> [Flag] {
        [
            .searchRadius,
            .limit("how many of each", ExploreRequest.limitRange, default: limit),
            Flag("category", "PATH", "only places of this category and what is below it", isRepeatable: true),
            Flag("exclude", "PATH", "no places of this category", isRepeatable: true),
            Flag("live", "NETWORK", "ask this network too: \(live)", isRepeatable: true),
            Flag("branch", "NAME", "only this: places, pins, photos or posts", isRepeatable: true),
            Flag("budget", "MS", "how many milliseconds a branch may take, 1 to 10000; 800 when not given"),
            .area,
        ] + Flag.open
    }

    /// The request, without a centre.
    static func request(_ arguments: ParsedArguments) throws(UsageError) -> ExploreRequest {
        let budget: UInt32? = try arguments.count("budget")
        return ExploreRequest(
            radiusM: try arguments.metres("radius"), limit: try arguments.count("limit"),
            categories: arguments.all("category"), excludedCategories: arguments.all("exclude"),
            budget: budget.map { DurationMessage(.milliseconds(Int64($0))) }, branches: arguments.all("branch"),
            liveNetworks: arguments.all("live"), openAt: try arguments.openAt(),
            area: arguments.text("area") ?? "")
    }
}
