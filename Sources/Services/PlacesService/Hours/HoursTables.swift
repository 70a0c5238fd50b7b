import Bytes
import Daemon
import EventLoops
import Files
import Geo
import OpeningHours

/// What hours go by at a point: the clock of its time zone, and the public holidays of its country.
struct HoursTables: Sendable {
    private struct Zone {
        let name: String
        let country: String
        /// Nil when the system has none of that name.
        let rules: ZoneRules?
    }

    /// Where the system has the rules of time zones.
    static let systemZones = "/usr/share/zoneinfo"
    private static let longestFile = 64 << 10

    private var grid = ZoneGrid()
    private var zones: [Zone] = []
    private var calendars: [String: HolidayCalendar] = [:]

    /// Of nothing: of no point is known what goes there.
    init() {}

    /// Reads the tables in the folder of bundled data, and the system's time zones. Blocks.
    init(bundledIn folder: String, zones zoneFolder: String = Self.systemZones) throws(PlacesError) {
        try readZones("\(folder)/hours/zones.tsv.gz", zoneFolder)
        try readGrid("\(folder)/hours/grid.tsv.gz")
        try readHolidays("\(folder)/hours/holidays.tsv.gz")
    }

    private mutating func readZones(_ path: String, _ zoneFolder: String) throws(PlacesError) {
        var table = try BundledTable(path: path)
        let (zone, country) = (try table.column("zone"), try table.column("country"))
        while try table.next() {
            let name = try table.text(zone)
            let bytes = try? SmallFile.read("\(zoneFolder)/\(name)", limit: Self.longestFile)
            zones.append(Zone(name: name, country: try table.text(country), rules: bytes.flatMap { ZoneRules($0) }))
        }
    }

    private mutating func readGrid(_ path: String) throws(PlacesError) {
        var table = try BundledTable(path: path)
        let (rows, runs) = (try table.column("rows"), try table.column("runs"))
        while try table.next() {
            guard grid.add(rows: Int(try table.count(rows)), runs: Array(try table.text(runs).utf8)) else {
                throw .damaged(what: path)
            }
        }
    }

    private mutating func readHolidays(_ path: String) throws(PlacesError) {
        var table = try BundledTable(path: path)
        let (country, days) = (try table.column("country"), try table.column("days"))
        let years = try table.column("years")
        while try table.next() {
            let ends = try table.text(years).split(at: "-").compactMap { Int($0) }
            guard ends.count == 2, ends[0] <= ends[1],
                let calendar = HolidayCalendar(Array(try table.text(days).utf8), years: ends[0]...ends[1])
            else { throw .damaged(what: path) }
            calendars[try table.text(country)] = calendar
        }
    }

    /// Zones that go in parts of other countries too.
    private static let shared: Set<String> = ["Asia/Bangkok", "Asia/Jerusalem", "Europe/Belgrade", "Europe/Moscow"]

    /// The country at a point, by its time zone, whose borders are good to a kilometre; nil where that says nothing.
    func country(at point: Geo.Coordinate) -> String? {
        guard let index = grid.zone(latitude: point.latitude, longitude: point.longitude), index < zones.count,
            !zones[index].country.isEmpty, !Self.shared.contains(zones[index].name)
        else { return nil }
        return zones[index].country
    }

    /// What goes at a point, and the name of its zone; nil when its clock is not known.
    func place(at point: Geo.Coordinate) -> (place: HoursPlace, zone: String)? {
        guard let index = grid.zone(latitude: point.latitude, longitude: point.longitude), index < zones.count,
            let rules = zones[index].rules
        else { return nil }
        let place = HoursPlace(
            latitude: point.latitude, longitude: point.longitude, zone: rules, holidays: calendars[zones[index].country]
        )
        return (place, zones[index].name)
    }
}

/// The tables, read in the background.
final class OpenedHours: Sendable {
    private let opening: Task<HoursTables, Never>

    /// Takes tables that are already open.
    init(_ tables: HoursTables = HoursTables()) { opening = Task { tables } }

    /// Reads the tables in the folder of bundled data; calls that need them wait for it.
    init(bundledFolder: String, _ blocking: BlockingPool, _ log: Log) {
        opening = Task {
            do {
                return try await blocking.run { try HoursTables(bundledIn: bundledFolder) }
            } catch {
                log.error("bundled time zones can't be used", ["folder": bundledFolder, "reason": "\(error)"])
                return HoursTables()
            }
        }
    }

    var tables: HoursTables {
        get async { await opening.value }
    }
}
