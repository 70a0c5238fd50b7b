import Arguments
import Contracts
import RPC
import Wire

/// What searches for places: `waymark nearby` and `within`.
enum SearchCommands {
    static let all: [any Command] = [nearby, within]

    /// The places around a point.
    static let nearby = UnaryCommand(
        CommandSyntax(
            words: ["nearby"], summary: "the places around a point, nearest first", positionals: Positional.point,
            flags: [
                .searchRadius,
                Flag("anywhere", "the nearest places however far; without --radius"),
                Flag("all", "all places within the radius, page by page"),
            ] + criteria,
            examples: [
                "nearby 60.1699 24.9384 --radius 500 --category amenity/cafe",
                "nearby -33.86 151.21 --anywhere --limit 3", "nearby -33.86 151.21 --all --json",
            ]),
        request: { arguments in
            let wantsAll = arguments.has("all")
            let page = NearbyRequest(
                centre: try arguments.coordinate(), radiusM: try arguments.metres("radius"),
                limit: try arguments.count("limit") ?? (wantsAll ? largestPage : nil),
                networks: arguments.all("network"), datasets: arguments.all("dataset"),
                categories: arguments.all("category"), excludedCategories: arguments.all("exclude"),
                nameText: arguments.text("name") ?? "",
                fields: arguments.placeFields, includeCount: arguments.has("count"),
                anyDistance: arguments.has("anywhere"), explain: arguments.has("explain"),
                openAt: try arguments.openAt(), area: arguments.text("area") ?? "")
            return ListRequest(page: page, wantsAll: wantsAll)
        },
        call: { client, list, options in
            try await list.answer { try await PlacesServiceClient(client).nearby($0, options.call) }
        },
        view: { NearbyView(request: $0.request.page, response: $0.answer, sink: $0.sink).lines })

    /// The places of a box.
    static let within = UnaryCommand(
        CommandSyntax(
            words: ["within"], summary: "the places within a box",
            positionals: [
                Positional(name: "SOUTH", summary: "degrees north of its lower edge"),
                Positional(name: "WEST", summary: "degrees east of its left edge"),
                Positional(name: "NORTH", summary: "degrees north of its upper edge"),
                Positional(
                    name: "EAST", summary: "degrees east of its right edge; west of WEST: across the antimeridian"),
            ],
            flags: [Flag("all", "all places within the box, page by page")] + criteria,
            examples: [
                "within 60.16 24.92 60.18 24.96 --category amenity/cafe", "within -18 177 -16 -179 --count",
            ]),
        request: { arguments in
            let wantsAll = arguments.has("all")
            let page = WithinRequest(
                box: Box(southWest: try arguments.coordinate(), northEast: try arguments.coordinate(at: 2)),
                limit: try arguments.count("limit") ?? (wantsAll ? largestPage : nil),
                networks: arguments.all("network"), datasets: arguments.all("dataset"),
                categories: arguments.all("category"), excludedCategories: arguments.all("exclude"),
                nameText: arguments.text("name") ?? "", fields: arguments.placeFields,
                includeCount: arguments.has("count"), explain: arguments.has("explain"),
                openAt: try arguments.openAt(), area: arguments.text("area") ?? "")
            return ListRequest(page: page, wantsAll: wantsAll)
        },
        call: { client, list, options in
            try await list.answer { try await PlacesServiceClient(client).within($0, options.call) }
        },
        view: { WithinView(response: $0.answer, sink: $0.sink).lines })

    /// The most that one page may have.
    private static let largestPage = NearbyRequest.limitRange.upperBound

    /// What the places of a search must be like, and what else is shown.
    private static let criteria =
        [
            .limit("how many places", NearbyRequest.limitRange, default: NearbyRequest.limitDefault),
            Flag(
                "category", "PATH", "only this category and what is below it: amenity, amenity/cafe", isRepeatable: true
            ),
            Flag("exclude", "PATH", "nothing of this category", isRepeatable: true),
            Flag("name", "TEXT", "only names that contain these words"),
            Flag("dataset", "NAME", "only this dataset", isRepeatable: true),
            Flag("network", "NAME", "only this network", isRepeatable: true), .area,
            Flag("hours", "say of each whether it is open"),
            Flag("count", "count all that match"),
            Flag("explain", "report what the search did"),
        ] + Flag.open
}

extension ParsedArguments {
    /// Which fields of places are asked for; none for all that are stored.
    fileprivate var placeFields: [String] {
        has("hours") ? ["name", "categories", "position", "attributes", "distance_m", "hours"] : []
    }
}
