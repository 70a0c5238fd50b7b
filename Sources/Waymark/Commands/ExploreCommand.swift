import Arguments
import Contracts
import RPC
import Terminal
import Wire

/// `waymark explore`: everything around a point, in one answer.
struct ExploreCommand: Command {
    static let syntax = CommandSyntax(
        words: ["explore"], summary: "places, pins and photos around a point, in one answer",
        positionals: Positional.point,
        flags: [
            Flag("radius", "LENGTH", "how far to look: 500, 500m, 1.5km; 1000 when not given"),
            Flag("limit", "N", "how many of each at most, 1 to 200; 10 when not given"),
            Flag("category", "PATH", "only places of this category and what is below it", isRepeatable: true),
            Flag("exclude", "PATH", "no places of this category", isRepeatable: true),
            Flag("budget", "MS", "how many milliseconds a branch may take, 1 to 10000; 800 when not given"),
        ] + Flag.client,
        examples: ["explore 60.1699 24.9384", "explore 48.8584 2.2945 --radius 5000 --budget 200"])

    private let options: ClientOptions
    private let request: ExploreRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        let budget: UInt32? = try arguments.count("budget")
        request = ExploreRequest(
            centre: try arguments.coordinate(), radiusM: try arguments.metres("radius"),
            limit: try arguments.count("limit") ?? 10, categories: arguments.all("category"),
            excludedCategories: arguments.all("exclude"),
            budget: budget.map { DurationMessage(.milliseconds(Int64($0))) })
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await ExploreServiceClient(link.client).explore(request, options.call)
        }
        try session.answer(response) { ExploreView(response: $0, sink: session.console.output).lines }
        return .success
    }
}
