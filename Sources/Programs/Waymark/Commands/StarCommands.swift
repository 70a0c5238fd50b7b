import Arguments
import Contracts
import RPC
import Terminal

/// Places with a star: `waymark star …`.
enum StarCommands {
    static let all: [any Command] = [add, remove, list]

    private static let add = UnaryCommand(
        changing: CommandSyntax(
            words: ["star", "add"], summary: "give a place a star; what is shown of it is kept with it",
            positionals: [.place] + Positional.point,
            flags: [
                Flag("name", "NAME", "what it is called, for a place that is in no catalog"),
                Flag("category", "PATH", "what it is, as amenity/cafe, with --name", isRepeatable: true),
                Flag("where", "TEXT", "what the pin or the town is called where it is"),
            ], examples: ["star add catalog/helsinki/n123 60.1675 24.943 --where Esplanadi"]),
        request: { arguments, change in
            let place = StarredPlace(
                id: arguments.positionals.first ?? "", name: arguments.text("name") ?? "",
                categories: arguments.all("category"), position: try arguments.coordinate(at: 1),
                where: arguments.text("where") ?? "")
            return StarPlaceRequest(place: place, requestId: "\(change)")
        },
        call: { client, request, options in
            var request = request
            if request.place?.name.isEmpty == true { request.place = try await known(request.place, client, options) }
            return try await StarServiceClient(client).starPlace(request, options.call)
        },
        view: { $0.answer.place.map { ["\(title($0)) has a star now.".printable] } ?? [] })

    private static let remove = UnaryCommand(
        changing: CommandSyntax(
            words: ["star", "remove"], summary: "take the star of a place away", positionals: [.place],
            examples: ["star remove catalog/helsinki/n123"]),
        request: { UnstarPlaceRequest(id: $0.positionals.first ?? "", requestId: "\($1)") },
        call: { try await StarServiceClient($0).unstarPlace($1, $2.call) },
        view: { [$0.answer.hadStar ? "The place has no star any more." : "The place had no star."] })

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["star", "list"], summary: "the places with a star; those that got it last come first",
            examples: ["star list"]),
        request: { _ in ListStarsRequest(pageSize: ListStarsRequest.pageSizeRange.upperBound) },
        call: { client, request, options in
            try await allPages(request) { try await StarServiceClient(client).listStars($0, options.call) }
        },
        view: { reply in
            guard !reply.answer.places.isEmpty else {
                return ["No place has a star; waymark star add PLACE LAT LON gives one."]
            }
            return table(reply.answer.places).lines(on: reply.sink)
        })

    /// A place as it is known where it is; nearly there, as positions are rounded.
    private static func known(
        _ wanted: StarredPlace?, _ client: RPCClient, _ options: ClientOptions
    ) async throws -> StarredPlace? {
        guard var place = wanted else { return nil }
        let request = NearbyRequest(centre: place.position, radiusM: 2, limit: NearbyRequest.limitRange.upperBound)
        let there = try await PlacesServiceClient(client).nearby(request, options.call).places
        guard let found = there.first(where: { $0.id == place.id }) else {
            throw RPCError(
                .notFound, "no place \(place.id.printable) is there; waymark nearby shows places, --name names one")
        }
        (place.name, place.categories, place.position) = (found.name, found.categories, found.position)
        return place
    }

    private static func title(_ place: StarredPlace) -> String { place.name.isEmpty ? place.id : place.name }

    private static func table(_ places: [StarredPlace]) -> Table {
        var table = Table(columns: [
            .init(title: "NAME", minimum: 14, style: .bold), .init(title: "CATEGORY", rank: 1),
            .init(title: "WHERE", rank: 2), .init(title: "POSITION", rank: 3), .init(title: "ID", style: .faint),
        ])
        table.rows = places.map { place in
            [
                .init(place.name), .init(place.categories.first ?? ""), .init(place.where),
                .init(PinTable.position(place.position)), .init(place.id),
            ]
        }
        return table
    }
}

extension Positional {
    fileprivate static let place = Positional(name: "PLACE", summary: "the place's id, as nearby shows it")
}

extension ListStarsRequest: PageRequest {}
extension ListStarsResponse: Page {
    mutating func append(_ page: ListStarsResponse) { places += page.places }
}
