import Bytes
import EventLoops
import Files
import Geo

/// The outlines of the world's first-level regions, with their countries, and of lakes, islands and seas: what a point
/// lies in where no dataset has its areas. Borders of regions, lakes and islands are good to some kilometre, those of
/// seas to some more. Borders of countries are there once more, good to 60 metres; these reach into the sea, and are
/// not known everywhere.
struct WorldAreas: Sendable {
    /// A region and its country.
    struct Land: Equatable, Sendable {
        /// ISO 3166-1 alpha-2; empty where a country has none.
        let code: String
        let country: String
        /// As the table of towns calls it; may be empty.
        let region: String
    }

    /// How far outlines may be wrong, in metres, on land and where coasts were straightened.
    static let coastError = 2_000.0
    /// Raised when the file is made in another way.
    private static let edition: UInt64 = 4
    private static let longestTable = 64 << 20

    /// Nil for one of nothing: no point lies in anything.
    private let index: AreaIndex?
    /// The regions of each country, by its code.
    private var regions: [String: [UInt32]] = [:]
    /// Zones of time, which know some borders better.
    private var zones = HoursTables()

    /// Of nothing.
    init() { index = nil }

    var isEmpty: Bool { index == nil }

    /// The same with the zones of time.
    func with(_ zones: HoursTables) -> WorldAreas {
        var areas = self
        areas.zones = zones
        return areas
    }

    /// Opens the file at `path`; makes it first when there is none of the table in the folder of bundled data. Blocks,
    /// then for about a second.
    init(bundledIn folder: String, at path: String) throws(PlacesError) {
        let table = "\(folder)/names/areas.tsv.gz"
        let bytes: [UInt8]
        do { bytes = try SmallFile.read(table, limit: Self.longestTable) } catch {
            throw .storage(what: table, reason: "\(error)")
        }
        let source = Checksum.of(bytes) &+ Self.edition
        if let index = try? AreaIndex(path: path), index.source == source, (try? index.verify()) != nil {
            self.index = index
            regions = regionsByCountry()
            return
        }
        let writer = try WorldAreasTable.read(table, scratchFolder: DiskFile.folder(of: path))
        do throws(GeoError) {
            _ = try writer.write(to: path, source: source)
            index = try AreaIndex(path: path)
        } catch {
            throw PlacesError(error, "the outlines of the world")
        }
        regions = regionsByCountry()
    }

    private func regionsByCountry() -> [String: [UInt32]] {
        let numbers = (0..<UInt32(clamping: index?.count ?? 0)).filter { index?.kind(of: $0)?.kind == .region }
        return Dictionary(grouping: numbers) { land($0)?.code ?? "" }
    }
}

// MARK: what a point lies in

extension WorldAreas {
    /// What holds a point.
    struct Held {
        /// Nil at sea.
        var region: Land?
        /// By the finer borders; nil where these say nothing.
        var country: Land?
        /// Empty without one.
        var lake = ""
        var island: Island?
    }

    /// An island by name.
    struct Island {
        fileprivate let record: UInt32
        let name: String
    }

    private static let holders: Set<AreaKind> = [.region, .country, .lake, .island]

    func holding(_ position: Coordinate) -> Held {
        var held = Held()
        guard let index else { return held }
        for number in index.areas(holding: Self.besidesPole(position), Self.holders) {
            switch index.kind(of: number)?.kind {
            case .region where held.region == nil: held.region = land(number)
            case .country where held.country == nil: held.country = land(number)
            case .lake: held.lake = name(number)
            case .island: held.island = Island(record: number, name: name(number))
            default: break
            }
        }
        return held
    }

    /// The island whose coast is nearest, as near as outlines may be wrong.
    func island(near position: Coordinate) -> Island? {
        let near = index?.nearest(to: position, [.island], within: Self.coastError)
        return near.map { Island(record: $0.record, name: name($0.record)) }
    }

    /// Whether a point is on an island, or so near its coast that it may be.
    func isOn(_ island: Island, _ position: Coordinate) -> Bool {
        guard let index else { return false }
        return index.holds(island.record, position)
            || index.nearest(to: position, [.island], within: Self.coastError) { $0 == island.record } != nil
    }

    /// The region whose edge is nearest, at most so many metres away.
    func land(near position: Coordinate, within metres: Double) -> Land? {
        (index?.nearest(to: position, [.region], within: metres)?.record).flatMap(land)
    }

    /// Whether the edge of a region is nearer than outlines may be wrong.
    func isUnsure(at position: Coordinate) -> Bool {
        index?.nearest(to: position, [.region], within: Self.coastError) != nil
    }

    /// The regions of a country, or the one that is called so; none where there is no such country or region.
    func records(code: String, region: String?) -> Set<UInt32> {
        guard !code.isEmpty, let own = regions[code] else { return [] }
        return Set(own.filter { region == nil || land($0)?.region == region })
    }

    func box(around records: Set<UInt32>) -> AreaBox? { index?.box(around: records) }

    /// The rings of regions; nil when they have more points.
    func rings(of records: Set<UInt32>, most: Int) -> [[AreaPoint]]? {
        index?.rings(of: records, spacing: 0, most: most)
    }

    /// The country that has all of its regions among some, or else the region.
    func record(of records: Set<UInt32>) -> AreaRecord? {
        guard let land = records.first.flatMap(land) else { return nil }
        let isWhole = records == self.records(code: land.code, region: nil)
        return AreaRecord(
            kind: isWhole ? .country : .region, level: isWhole ? 2 : 4, id: "",
            name: isWhole ? land.country : land.region, code: land.code)
    }

    /// The region that holds the point or, off a straightened coast, that is near it.
    func record(at position: Coordinate) -> UInt32? {
        index?.areas(holding: Self.besidesPole(position), [.region]).first
            ?? index?.nearest(to: position, [.region], within: Self.coastError)?.record
    }

    /// The country other than one, by a code, whose finer border is nearest, at most so many metres away.
    func country(besides code: String, near position: Coordinate, within metres: Double) -> Land? {
        let near = index?.nearest(to: position, [.country], within: metres) { land($0)?.code != code }
        return (near?.record).flatMap(land)
    }

    /// Whether the finer border of a country is nearer than outlines may be wrong.
    func hasBorder(of code: String, at position: Coordinate) -> Bool {
        index?.nearest(to: position, [.country], within: Self.coastError) { land($0)?.code == code } != nil
    }

    /// The region of another country whose edge is nearest, as near as outlines may be wrong.
    func land(besides code: String, near position: Coordinate) -> Land? {
        let near = index?.nearest(to: position, [.region], within: Self.coastError) { land($0)?.code != code }
        return (near?.record).flatMap(land)
    }

    /// The country by the zone of time.
    func countryByZone(at position: Coordinate) -> String? { zones.country(at: position) }

    /// The sea that holds the point: of several the first in the table.
    func sea(at position: Coordinate) -> String? {
        (index?.areas(holding: Self.besidesPole(position), [.sea]).min()).flatMap { index?.record($0, names: [])?.name }
    }

    /// Outlines end at the poles, which are in none of them.
    private static func besidesPole(_ position: Coordinate) -> Coordinate {
        guard position.latitude.magnitude > northernmost else { return position }
        let latitude = position.latitude < 0 ? -northernmost : northernmost
        return (try? Coordinate(latitude: latitude, longitude: position.longitude)) ?? position
    }

    private static let northernmost = 89.9

    private func name(_ record: UInt32) -> String { index?.record(record, names: [])?.name ?? "" }

    private func land(_ record: UInt32) -> Land? {
        index?.record(record, names: []).map { Land(code: $0.code, country: $0.place, region: $0.name) }
    }
}
