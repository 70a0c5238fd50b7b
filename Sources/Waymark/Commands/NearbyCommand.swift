import Arguments
import Contracts
import RPC
import Terminal

/// `waymark nearby`: the places around a point.
struct NearbyCommand: Command {
    static let syntax = CommandSyntax(
        words: ["nearby"], summary: "the places around a point, nearest first", positionals: Positional.point,
        flags: [
            Flag("radius", "LENGTH", "how far to look: 500, 500m, 1.5km; 1000 when not given"),
            Flag("anywhere", "the nearest places however far; without --radius"),
            Flag("all", "all places within the radius, page by page"),
        ] + Flag.criteria + Flag.client,
        examples: [
            "nearby 60.1699 24.9384 --radius 500 --category amenity/cafe", "nearby -33.86 151.21 --anywhere --limit 3",
            "nearby -33.86 151.21 --all --json",
        ])

    private let options: ClientOptions
    private let request: NearbyRequest
    private let wantsAll: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        wantsAll = arguments.has("all")
        request = NearbyRequest(
            centre: try arguments.coordinate(), radiusM: try arguments.metres("radius"),
            limit: try arguments.count("limit") ?? (wantsAll ? Flag.largestPage : nil),
            networks: arguments.all("network"), datasets: arguments.all("dataset"),
            categories: arguments.all("category"), excludedCategories: arguments.all("exclude"),
            nameText: arguments.text("name") ?? "", includeCount: arguments.has("count"),
            anyDistance: arguments.has("anywhere"), explain: arguments.has("explain"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await search(PlacesServiceClient(link.client))
        }
        try session.answer(response) { NearbyView(request: request, response: $0, sink: session.console.output).lines }
        return .success
    }

    /// One page, or all of them put together.
    private func search(_ places: PlacesServiceClient) async throws -> NearbyResponse {
        var answer = try await places.nearby(request, options.call)
        while wantsAll, !answer.nextPageToken.isEmpty {
            var next = request
            next.pageToken = answer.nextPageToken
            next.includeCount = false
            let page = try await places.nearby(next, options.call)
            answer.places += page.places
            answer.nextPageToken = page.nextPageToken
            answer.truncated = page.truncated
        }
        return answer
    }
}

extension Flag {
    /// The most that one page may have.
    static let largestPage: UInt32 = 200

    /// What the places of a search must be like, and what is told of it.
    static let criteria = [
        Flag("limit", "N", "how many places at most, 1 to 200; 20 when not given"),
        Flag("category", "PATH", "only this category and what is below it: amenity, amenity/cafe", isRepeatable: true),
        Flag("exclude", "PATH", "nothing of this category", isRepeatable: true),
        Flag("name", "TEXT", "only names that hold these words"),
        Flag("dataset", "NAME", "only this dataset", isRepeatable: true),
        Flag("network", "NAME", "only this network", isRepeatable: true),
        Flag("count", "count all that match"),
        Flag("explain", "tell what the search did"),
    ]
}
