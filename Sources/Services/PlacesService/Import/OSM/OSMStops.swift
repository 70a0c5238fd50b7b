import Bytes
import FeatureFiles
import PlaceContracts
import Wire

/// Stops and stations with the lines that stop there, as their own tags and the routes say it whose members they are.
/// In a file, routes come behind all nodes: stops that are nodes wait for them.
struct OSMStops {
    /// Stops that wait; what is beyond has the lines of its own tags.
    private static let maximumStops = 4_000_000
    private static let maximumMembers = 40_000_000
    private static let maximumLinesOfStop = 40
    private static let longestLine = 16

    private struct Stop {
        let node: Int64
        let latitude: Double
        let longitude: Double
        let blob: UInt64
        /// Which of `texts` it is.
        let text: Range<Int>
    }

    /// That a line stops somewhere: by the number of a member, and that of the line.
    private struct Call: Hashable {
        let member: Int64
        let line: UInt32
    }

    private var stops: [Stop] = []
    /// Packed places without a position, one after the other.
    private var texts: [UInt8] = []
    private var lines: [String] = []
    private var numbers: [String: UInt32] = [:]
    private var calls: [Call] = []
    /// Members of what belongs together, as a station, its stops and its platforms do.
    private var areas: [[Int64]] = []
    private var areaMembers = 0

    var count: Int { stops.count }

    /// The same number for no node and no way.
    private static func number(_ member: OSMMember) -> Int64 { member.id << 1 | (member.part == .node ? 0 : 1) }

    /// Keeps a stop that is a node; false when there are too many.
    mutating func add(_ row: PlaceRow, node: OSMNode, from blob: BlobPlace) -> Bool {
        guard stops.count < Self.maximumStops else { return false }
        let start = texts.count
        texts += Place(
            name: row.name, categories: [row.categories],
            attributes: row.attributes.map { Attribute(key: $0.key, value: $0.value) }
        ).packedBytes()
        stops.append(
            Stop(
                node: node.id, latitude: Double(node.latitude) / 1e9, longitude: Double(node.longitude) / 1e9,
                blob: blob.number, text: start..<texts.count))
        return true
    }

    /// Notes where a line stops.
    mutating func add(line: String, _ members: [OSMMember]) {
        guard !line.isEmpty, line.utf8.count <= Self.longestLine, calls.count + members.count <= Self.maximumMembers
        else { return }
        let number = numbers[line] ?? UInt32(lines.count)
        if number == lines.count {
            lines.append(line)
            numbers[line] = number
        }
        for member in members { calls.append(Call(member: Self.number(member), line: number)) }
    }

    /// Notes what belongs together.
    mutating func add(area members: [OSMMember]) {
        guard members.count > 1, areaMembers + members.count <= Self.maximumMembers else { return }
        areaMembers += members.count
        areas.append(members.map(Self.number))
    }

    /// All routes are known.
    mutating func seal() {
        sort()
        var shared: [Call] = []
        for area in areas where shared.count < Self.maximumMembers {
            let all = Set(area.prefix(1_000).flatMap { lineNumbers(of: $0) })
            for line in all.sorted().prefix(Self.maximumLinesOfStop) {
                for member in area { shared.append(Call(member: member, line: line)) }
            }
        }
        areas = []
        calls += shared
        sort()
    }

    private mutating func sort() { calls.sort { ($0.member, $0.line) < ($1.member, $1.line) } }

    private func lineNumbers(of member: Int64) -> [UInt32] {
        var (low, high) = (0, calls.count)
        while low < high {
            let middle = (low + high) / 2
            if calls[middle].member < member { low = middle + 1 } else { high = middle }
        }
        var found: [UInt32] = []
        for call in calls[low...] {
            guard call.member == member, found.count < Self.maximumLinesOfStop else { break }
            if found.last != call.line { found.append(call.line) }
        }
        return found
    }

    /// Adds the lines of a stop that is a way.
    func addLines(to row: inout PlaceRow, way: Int64) { addLines(to: &row, of: way << 1 | 1) }

    private func addLines(to row: inout PlaceRow, of member: Int64) {
        let found = lineNumbers(of: member).map { lines[Int($0)] }
        guard !found.isEmpty else { return }
        let own = row.attributes.firstIndex { $0.key == LineKey.attribute }
        let said = own.map { row.attributes[$0].value.split(at: ";").map(String.init) } ?? []
        let all = said + found.filter { !said.contains($0) }
        let value = all.prefix(Self.maximumLinesOfStop).joined(separator: ";")
        if let own { row.attributes[own].value = value } else { row.attributes.append((LineKey.attribute, value)) }
    }

    /// Writes a stop that is a node to a row.
    func fill(_ row: inout PlaceRow, _ index: Int) -> RowEvent {
        let stop = stops[index]
        guard let place = try? Place(packed: texts[stop.text]) else { return .nothing }
        row.id = "node/\(stop.node)"
        row.name = place.name
        row.latitude = stop.latitude
        row.longitude = stop.longitude
        row.categories = place.categories.first ?? ""
        row.attributes = place.attributes.map { ($0.key, $0.value) }
        addLines(to: &row, of: stop.node << 1)
        return .row(line: stop.blob)
    }
}

extension OSMTags {
    private static let routes: Set<String> = [
        "subway", "light_rail", "tram", "train", "bus", "trolleybus", "monorail", "funicular", "ferry", "railway",
    ]
    private static let stations: Set<String> = ["bus_station", "ferry_terminal"]

    /// Whether lines may stop there.
    var isStop: Bool {
        value("public_transport") != nil || value("highway") == "bus_stop"
            || value("railway").map { OSMKeys.railwayPlaces.contains($0) } ?? false
            || value("amenity").map { Self.stations.contains($0) } ?? false
    }

    /// Of a route: what the line is called.
    var routeLine: String? {
        guard type == "route", let route = value("route"), Self.routes.contains(route) else { return nil }
        return value("ref")
    }

    /// Whether it says what belongs to one stop.
    var isStopArea: Bool { value("public_transport") == "stop_area" }

    /// The lines that a stop says itself.
    var ownLines: String {
        ["route_ref", "line", "lines"].lazy.compactMap { value($0) }.first.map { text in
            text.split(atScalars: { $0 == ";" || $0 == "," }).map { String($0).withoutBlanks }
                .filter { !$0.isEmpty && $0.utf8.count <= 16 }.prefix(40).joined(separator: ";")
        } ?? ""
    }
}
