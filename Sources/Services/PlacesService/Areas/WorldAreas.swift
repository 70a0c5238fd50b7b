import Bytes
import EventLoops
import Files
import Geo

/// The outlines of the world's first-level regions, with their countries, and of seas: what a point lies in where no
/// dataset has its areas. Borders of regions are good to some kilometre, those of seas to some more. Borders of
/// countries are there once more, good to 60 metres; these reach into the sea, and are not known everywhere.
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
    private static let edition: UInt64 = 3
    private static let longestTable = 64 << 20
    /// 1e-7 degrees in one of the table's.
    private static let unit: Int64 = 1000
    /// How far a step may go, in units of the table: an ocean's is as wide as the Earth, and would be taken the shorter
    /// way around it.
    private static let farthest: Int64 = 900_000

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
        let writer = try Self.read(table, scratchFolder: DiskFile.folder(of: path))
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

    private static func read(_ path: String, scratchFolder: String) throws(PlacesError) -> AreaIndexWriter {
        var table = try BundledTable(path: path)
        let (kind, code, country) = (try table.column("kind"), try table.column("code"), try table.column("country"))
        let (region, outline) = (try table.column("region"), try table.column("outline"))
        var writer = AreaIndexWriter(scratchFolder: scratchFolder)
        var last: (record: AreaRecord, number: UInt32)?
        while try table.next() {
            guard let own = Self.kinds[try table.text(kind)] else { throw .damaged(what: path) }
            let record = AreaRecord(
                kind: own, id: "", name: try table.text(region), code: try table.text(code),
                place: try table.text(country))
            let number = last?.record == record ? last?.number : writer.add(record)
            guard let number, let ring = ring(try table.text(outline)) else { throw .damaged(what: path) }
            last = (record, number)
            do throws(GeoError) { try writer.add(rings: [ring], to: number, record.kind) } catch {
                throw PlacesError(error, "the outlines of the world")
            }
        }
        return writer
    }

    private static let kinds: [String: AreaKind] = ["land": .region, "country": .country, "sea": .sea]

    /// "601700,249400 12,-5": steps from one point to the next, the first from zero. Nil for anything else.
    private static func ring(_ text: String) -> [AreaPoint]? {
        var points: [AreaPoint] = []
        var (latitude, longitude): (Int64, Int64) = (0, 0)
        var last: (latitude: Int64, longitude: Int64)?
        var (number, sign, isFirst): (Int64, Int64, Bool) = (0, 1, true)
        for byte in Array(text.utf8) + [UInt8(ascii: " ")] {
            switch byte {
            case UInt8(ascii: "-"): sign = -1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
                guard number < 10_000_000 else { return nil }
            case UInt8(ascii: ",") where isFirst:
                latitude += sign * number
                (number, sign, isFirst) = (0, 1, false)
            case UInt8(ascii: " ") where !isFirst:
                longitude += sign * number
                (number, sign, isFirst) = (0, 1, true)
                let from = last ?? (latitude, longitude)
                let (north, east) = (latitude - from.latitude, longitude - from.longitude)
                let parts = max(1, (abs(east) + farthest - 1) / farthest)
                for part in 1...parts {
                    points.append(
                        AreaPoint(
                            latitude: Int32(clamping: (from.latitude + north * part / parts) * unit),
                            longitude: Int32(clamping: (from.longitude + east * part / parts) * unit)))
                }
                last = (latitude, longitude)
            default: return nil
            }
        }
        return points
    }
}

// MARK: what a point lies in

extension WorldAreas {
    /// The region that holds the point, nil at sea; and the country by the finer borders, nil where these say nothing.
    func holding(_ position: Coordinate) -> (region: Land?, country: Land?) {
        guard let index else { return (nil, nil) }
        let found = index.areas(holding: Self.besidesPole(position), [.region, .country])
        func first(_ kind: AreaKind) -> Land? { found.first { index.kind(of: $0)?.kind == kind }.flatMap(land) }
        return (first(.region), first(.country))
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

    private func land(_ record: UInt32) -> Land? {
        index?.record(record, names: []).map { Land(code: $0.code, country: $0.place, region: $0.name) }
    }
}
