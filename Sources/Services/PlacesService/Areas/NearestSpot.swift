import Geo
import PlaceContracts

/// The square or house that a point is in or at most 25 m from, and the street beside it.
struct NearestSpot {
    /// How far a house and a street may be, in metres.
    static let houseReach = 25.0
    static let streetReach = 100.0
    /// Named places that are looked at for an address, the nearest first.
    private static let most = 6
    /// Places of all kinds that one search finds.
    private static let mostNear = 32

    private(set) var square = ""
    /// An address of which only the street and the number count.
    private(set) var house: Address?
    private(set) var street = ""

    /// - Parameters:
    ///   - inside: the areas that the point lies in.
    ///   - languages: those that names are wanted in.
    init(
        at position: Geo.Coordinate, _ inside: ContainedIn, in view: CatalogView, languages: [String],
        _ scratch: SearchScratch, checkpoint: (Int) throws -> Void
    ) throws {
        square = inside.square?.name(in: languages) ?? ""
        if square.isEmpty, let own = inside.house {
            house = Address(street: own.name, number: own.code, position: position)
        } else if square.isEmpty {
            try look(in: view, position, scratch, checkpoint)
        }
        if square.isEmpty { lookForStreet(in: view, position, languages) }
    }

    /// Takes what has nothing but an address, else the nearest place that has one too.
    private mutating func look(
        in view: CatalogView, _ position: Geo.Coordinate, _ scratch: SearchScratch, _ checkpoint: (Int) throws -> Void
    ) throws {
        guard let spots = view.spots else { return }
        func find(_ filter: ResolvedFilter, _ limit: Int) throws -> Bool {
            let query = try NearbyQuery(
                centre: position, radiusMetres: Self.houseReach, limit: limit, filter: filter)
            return try view.set.nearby(query, using: scratch, checkpoint: checkpoint).truncated
        }
        // Mostly nothing is so near, or little.
        let isMore = try find(spots.all, Self.mostNear)
        let near = scratch.hits
        if near.isEmpty { return }
        for (filter, limit) in [(spots.houses, 1), (spots.places, Self.most)] {
            if isMore { _ = try find(filter, limit) }
            let hits = try isMore ? scratch.hits : near.filter { try view.set.admits($0, filter) }
            let answer = PlacesAnswer(set: view.set, mask: FieldMask([]))
            for hit in hits.prefix(limit) {
                let place = try answer.place(hit)
                if place.categories.contains(Self.squareCategory) { return square = place.name }
                guard let own = Address(near: place, nil), !own.street.isEmpty, !own.number.isEmpty else { continue }
                return house = own
            }
        }
    }

    static let squareCategory = "place/square"

    private mutating func lookForStreet(in view: CatalogView, _ position: Geo.Coordinate, _ languages: [String]) {
        var least = Self.streetReach
        for dataset in view.datasets {
            guard let areas = dataset.areas, let near = areas.nearest(to: position, [.street], within: least) else {
                continue
            }
            least = near.metres
            street = areas.record(near.record, names: languages)?.name(in: languages) ?? street
        }
    }
}
