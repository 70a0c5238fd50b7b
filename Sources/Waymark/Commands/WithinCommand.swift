import Arguments
import Contracts
import RPC
import Terminal

/// `waymark within`: the places of a box.
struct WithinCommand: Command {
    static let syntax = CommandSyntax(
        words: ["within"], summary: "the places within a box",
        positionals: [
            Positional(name: "SOUTH", summary: "degrees north of its lower edge"),
            Positional(name: "WEST", summary: "degrees east of its left edge"),
            Positional(name: "NORTH", summary: "degrees north of its upper edge"),
            Positional(name: "EAST", summary: "degrees east of its right edge; west of WEST: across the antimeridian"),
        ],
        flags: [
            Flag("all", "all places within the box, page by page")
        ] + Flag.criteria + Flag.client,
        examples: ["within 60.16 24.92 60.18 24.96 --category amenity/cafe", "within -18 177 -16 -179 --count"])

    private let options: ClientOptions
    private let request: WithinRequest
    private let wantsAll: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        wantsAll = arguments.has("all")
        request = WithinRequest(
            box: Box(
                southWest: Coordinate(latitude: try arguments.number(at: 0), longitude: try arguments.number(at: 1)),
                northEast: Coordinate(latitude: try arguments.number(at: 2), longitude: try arguments.number(at: 3))),
            limit: try arguments.count("limit") ?? (wantsAll ? Flag.largestPage : nil),
            networks: arguments.all("network"), datasets: arguments.all("dataset"),
            categories: arguments.all("category"), excludedCategories: arguments.all("exclude"),
            nameText: arguments.text("name") ?? "", includeCount: arguments.has("count"),
            explain: arguments.has("explain"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await search(PlacesServiceClient(link.client))
        }
        try session.answer(response) { Self.lines($0, on: session.console.output) }
        return .success
    }

    /// One page, or all of them put together.
    private func search(_ places: PlacesServiceClient) async throws -> WithinResponse {
        var answer = try await places.within(request, options.call)
        while wantsAll, !answer.nextPageToken.isEmpty {
            var next = request
            next.pageToken = answer.nextPageToken
            next.includeCount = false
            let page = try await places.within(next, options.call)
            answer.places += page.places
            answer.nextPageToken = page.nextPageToken
            answer.truncated = page.truncated
        }
        return answer
    }

    private static func lines(_ response: WithinResponse, on sink: TextSink) -> [String] {
        let told = ExplanationLine.lines(response.explanation, on: sink)
        guard !response.places.isEmpty else { return ["There is no such place within the box."] + told }
        let shown = Quantity.count(response.places.count, "place")
        let all = response.count.map { " of \(Quantity.count($0))" } ?? ""
        let footer =
            response.truncated
            ? "\(shown)\(all) within the box; --all or --limit shows more" : "\(shown) within the box"
        return PlaceTable.lines(response.places, on: sink) + ["", Style.faint.paint(footer, on: sink)] + told
    }
}
