import Geo
import Glibc
import PlaceContracts
import Requests

/// Where a point is: its country and region, its town, and what is there.
struct Whereabouts {
    /// Farther away than this, in metres, a town does not say where a point is.
    static let townReach = 50_000.0
    /// An island that is in no outline has its town within this.
    private static let islandReach = 5_000.0
    /// A town nearer than this knows its country better than an outline that may be wrong.
    private static let borderReach = 3_000.0
    /// The most towns that are looked at for one of a region.
    private static let most = 200

    let inside: ContainedIn
    private(set) var countryCode = ""
    private(set) var country = ""
    private(set) var region = ""
    /// The nearest town of the country and region; nil when there is none within `townReach`.
    private(set) var town: Place?
    /// The nearest town of all; nil without any.
    private(set) var nearest: Place?
    /// Empty on land.
    private(set) var sea = ""
    /// Empty without one.
    private(set) var lake = ""
    private var island: WorldAreas.Island?
    /// The region that the town has to be in, as the table of towns calls it; nil for any.
    private var regionOfTowns: String?

    /// - Parameter languages: those that names are wanted in.
    init(
        of position: Geo.Coordinate, in view: CatalogView, _ world: WorldAreas, languages: [String] = [],
        _ scratch: SearchScratch, checkpoint: (Int) throws -> Void
    ) throws {
        inside = ContainedIn(position, in: view, languages: languages)
        let towns = Towns(view: view, scratch: scratch, position: position)
        nearest = try towns.nearest(1, checkpoint).first
        decide(position, in: view, world, languages)
        guard !countryCode.isEmpty || !country.isEmpty || sea.isEmpty else { return }
        if let nearest, isOwn(nearest) {
            town = nearest
        } else if nearest.map({ ($0.distanceM ?? .infinity) <= Self.townReach }) == true {
            town = try towns.nearest(Self.most, checkpoint).first(where: isOwn)
        }
        guard let town else { return }
        if region.isEmpty { region = town.attribute("region") }
        if country.isEmpty { country = town.attribute("country_name") }
        // A town on the same island says more than the island.
        if let island, !Self.isIn(town), let point = town.point, world.isOn(island, point) { self.island = nil }
    }

    /// Decides on country and region: what a dataset has the borders of, else the outlines of the world; near a border
    /// of these the finer borders of countries, and where these say nothing the zone of time or the nearest town.
    private mutating func decide(
        _ position: Geo.Coordinate, in view: CatalogView, _ world: WorldAreas, _ languages: [String]
    ) {
        let metres = nearest?.distanceM ?? .infinity
        let held = world.holding(position)
        var land = held.region
        (lake, island) = (held.lake, held.island)
        if land == nil, inside.country == nil {
            land = world.land(near: position, within: WorldAreas.coastError)
        }
        if held.region == nil, island == nil, lake.isEmpty { island = world.island(near: position) }
        let isOnLand = island != nil || !lake.isEmpty
        if let own = inside.country {
            // Borders of countries reach into the sea.
            if land == nil, !isOnLand, inside.municipality == nil, inside.island == nil, metres > Self.islandReach,
                world.land(near: position, within: WorldAreas.coastError) == nil, let name = world.sea(at: position)
            {
                sea = name
                return
            }
            countryCode = own.code
            let isSame = land?.code == own.code
            country = isSame ? land?.country ?? "" : englishName(of: own)
            regionOfTowns = isSame ? land?.region : nil
        } else if let land {
            (countryCode, country, regionOfTowns) = (land.code, land.country, land.region)
            if let finer = held.country {
                if finer.code != land.code, world.isUnsure(at: position) { take(finer) }
            } else {
                decide(position, besides: land, world, metres)
            }
            if isBesideOwn(position, in: view),
                let other = world.country(besides: countryCode, near: position, within: WorldAreas.coastError)
            {
                take(other)
            }
        } else if let finer = held.country, isOnLand || metres <= Self.islandReach {
            take(finer)
        } else if let nearest, metres <= Self.islandReach || metres <= Self.townReach && world.isEmpty {
            take(nearest, in: nil)
        } else if !isOnLand {
            sea = world.sea(at: position) ?? ""
        }
        region = inside.region.map { $0.name(in: languages + ["en"]) } ?? regionOfTowns ?? ""
    }

    /// Decides near the edge of a region where the finer borders name no country: it is none that has such a border
    /// here.
    private mutating func decide(
        _ position: Geo.Coordinate, besides land: WorldAreas.Land, _ world: WorldAreas, _ metres: Double
    ) {
        if world.hasBorder(of: land.code, at: position),
            let other = world.land(besides: land.code, near: position)
        {
            return (countryCode, country, regionOfTowns) = (other.code, other.country, other.region)
        }
        let zone = world.countryByZone(at: position)
        let isDoubted = zone.map { $0 != land.code } ?? (metres <= Self.borderReach)
        guard let nearest, isDoubted, !isOwn(nearest), world.isUnsure(at: position),
            !world.hasBorder(of: zone ?? nearest.attribute("country"), at: position)
        else { return }
        take(nearest, in: zone)
    }

    /// Whether a dataset has the border of the country here: a point that is not in that is in another one.
    private func isBesideOwn(_ position: Geo.Coordinate, in view: CatalogView) -> Bool {
        view.datasets.contains { dataset in
            guard let areas = dataset.areas, areas.hasCountry(countryCode) else { return false }
            let reach = WorldAreas.coastError
            return areas.nearest(to: position, [.country], within: reach) {
                areas.record($0, names: [])?.code == countryCode
            } != nil
        }
    }

    /// Takes a country, with any of its regions.
    private mutating func take(_ land: WorldAreas.Land) {
        (countryCode, country, regionOfTowns) = (land.code, land.country, nil)
    }

    /// Takes a town's country and region; when another country is known, that with any of its regions.
    private mutating func take(_ town: Place, in country: String?) {
        countryCode = country ?? town.attribute("country")
        let isSame = countryCode == town.attribute("country")
        self.country = isSame ? town.attribute("country_name") : ""
        regionOfTowns = isSame ? town.attribute("region") : ""
    }

    private func englishName(of record: AreaRecord) -> String {
        guard let nearest, nearest.attribute("country") == record.code else { return record.name(in: ["en"]) }
        return nearest.attribute("country_name")
    }

    /// Whether a town is near enough, and in the country and region.
    private func isOwn(_ town: Place) -> Bool {
        guard (town.distanceM ?? .infinity) <= Self.townReach else { return false }
        guard town.attribute("country") == countryCode else { return false }
        guard let wanted = regionOfTowns, !wanted.isEmpty else { return true }
        let own = town.attribute("region")
        return own.isEmpty || wanted == own
    }

    /// What the surroundings are called: the municipality, the protected area, the town, the lake or the island, and
    /// else region and country.
    /// - Parameter languages: those that names are wanted in.
    func surroundings(_ languages: [String]) -> String {
        if let own = inside.municipality { return own.name(in: languages) }
        if let park = inside.park { return park.name(in: languages) }
        if let town, Self.isIn(town) { return town.name }
        if !lake.isEmpty { return lake }
        if island == nil, let town { return "near \(town.name)" }
        if let own = inside.island { return own.name(in: languages) }
        let names = [island?.name ?? "", region == island?.name ? "" : region, country]
        let land = names.filter { !$0.isEmpty }.joined(separator: ", ")
        return land.isEmpty ? sea : land
    }

    /// Whether a point so far from a town's middle is likely among its houses: as far as its people need room.
    private static func isIn(_ town: Place) -> Bool {
        let people = Double(town.attribute("population")) ?? 0
        let reach = max(leastReach, (people / peoplePerSquareMetre / .pi).squareRoot())
        return (town.distanceM ?? .infinity) <= reach
    }

    private static let leastReach = 1_000.0
    private static let peoplePerSquareMetre = 0.003
}

/// The towns around a point.
private struct Towns {
    let view: CatalogView
    let scratch: SearchScratch
    let position: Geo.Coordinate

    func nearest(_ limit: Int, _ checkpoint: (Int) throws -> Void) throws -> [Place] {
        guard let towns = view.towns else { return [] }
        let reach = limit == 1 ? Double.infinity : Whereabouts.townReach
        let query = try NearbyQuery(centre: position, radiusMetres: reach, limit: limit, filter: towns)
        _ = try view.set.nearby(query, using: scratch, checkpoint: checkpoint)
        let answer = PlacesAnswer(set: view.set, mask: FieldMask([]))
        return try scratch.hits.map { try answer.place($0) }
    }
}

extension Place {
    /// The value of an attribute; empty when there is none.
    func attribute(_ key: String) -> String { attributes.first { $0.key == key }?.value ?? "" }
}
