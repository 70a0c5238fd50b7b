import Geo

/// Makes the index of areas of an .osm.pbf. From the first reading of the file it keeps relations that are areas; in
/// the second it takes ways that are one, streets, and large houses; at the end it makes the relations whole.
final class OSMAreas {
    /// Relations that are kept, and their members; what is beyond is left out.
    private static let most = 4_000_000
    private static let maximumMembers = 64_000_000
    /// Nodes of one area, counted as often as it names their ways.
    private static let maximumNodesOfOne = 8_000_000
    /// Bytes of names that wait for the end; what is beyond is left out.
    private static let maximumTextBytes = 256 << 20
    /// Different names of streets; what is beyond is left out.
    private static let maximumStreets = 4_000_000
    /// A house is found by its middle within this, in metres; only what is larger needs its outline.
    private static let reach = 25.0

    /// One name may be translated otherwise elsewhere.
    private struct StreetName: Hashable {
        let name: String
        let names: [AreaRecord.Name]
    }

    private struct Area {
        let record: AreaRecord
        let members: Range<Int>
    }

    private let geometry: OSMGeometry
    private var writer: AreaIndexWriter
    private var areas: [Area] = []
    private var members: [OSMMember] = []
    private var textBytes = 0
    private var streets: [StreetName: UInt32] = [:]
    private(set) var broken: [AreaRecord] = []
    private(set) var brokenCount = 0

    /// - Parameter folder: where its file without a name is.
    init(_ geometry: OSMGeometry, folder: String) {
        self.geometry = geometry
        writer = AreaIndexWriter(scratchFolder: folder, memory: geometry.memory)
    }

    /// The ways that areas are made of.
    var memberWays: [Int64] { members.map(\.id) }

    /// Keeps a relation that is an area.
    func note(_ relation: Int64, _ tags: OSMTags, _ own: [OSMMember]) {
        guard OSMKeys.areaTypes.contains(tags.type), areas.count < Self.most,
            let record = AreaRules.record(tags, id: "relation/\(relation)")
        else { return }
        let parts = own.filter { $0.part == .outer || $0.part == .inner }
        guard members.count + parts.count <= Self.maximumMembers, takes(record) else { return }
        members += parts
        areas.append(Area(record: record, members: members.count - parts.count..<members.count))
    }

    /// Takes a way that is an area by itself.
    func note(_ way: OSMWay, _ tags: OSMTags) throws(PlacesError) {
        guard way.nodes.count > 3, way.nodes.first == way.nodes.last, tags.value("type") != "multipolygon",
            let record = AreaRules.record(tags, id: "way/\(way.id)")
        else { return }
        try add(record, AreaEdges(outers: [way.nodes], inners: [], geometry.point))
    }

    /// Takes a street, by where its nodes are.
    func note(street name: String, _ tags: OSMTags, _ points: [GridPoint]) throws(PlacesError) {
        guard points.count > 1, let number = street(name, tags) else { return }
        let line = points.map { AreaPoint(latitude: $0.latitude, longitude: $0.longitude) }
        try converting { () throws(GeoError) in try writer.add(line: line, to: number, .street) }
    }

    /// Takes the outline of a house whose corners are far from its middle.
    func note(house address: AddressFields, id: String, _ points: [GridPoint], centre: OSMCentre.Centre)
        throws(PlacesError)
    {
        guard points.count > 3, points.first == points.last,
            let middle = try? Coordinate(latitude: centre.latitude, longitude: centre.longitude),
            points.contains(where: { corner in
                (try? Coordinate(latitudeE7: corner.latitude, longitudeE7: corner.longitude)).map {
                    middle.metres(to: $0) > Self.reach
                } ?? false
            }),
            let number = writer.add(
                AreaRecord(kind: .house, id: id, name: address.street, code: address.number, place: address.city))
        else { return }
        let ring = points.map { AreaPoint(latitude: $0.latitude, longitude: $0.longitude) }
        try converting { () throws(GeoError) in try writer.add(rings: [ring], to: number, .house) }
    }

    private func street(_ name: String, _ tags: OSMTags) -> UInt32? {
        let names = tags.namesByLanguage.map { AreaRecord.Name(language: $0, name: $1) }
        let key = StreetName(name: name, names: names)
        if let known = streets[key] { return known }
        let record = AreaRecord(kind: .street, id: "", name: name, names: names)
        guard streets.count < Self.maximumStreets, takes(record) else { return nil }
        let number = writer.add(record)
        streets[key] = number
        return number
    }

    /// Whether there is room for the names of another one.
    private func takes(_ record: AreaRecord) -> Bool {
        let bytes = record.names.reduce(record.name.utf8.count) { $0 + $1.language.utf8.count + $1.name.utf8.count }
        guard bytes <= Self.maximumTextBytes - textBytes else { return false }
        textBytes += bytes
        return true
    }
}

// MARK: the end

extension OSMAreas {
    /// Makes the relations whole and writes the index; nil when there is nothing in it.
    /// - Parameter look: called now and then; ends it by throwing.
    func write(to path: String, look: () throws(PlacesError) -> Void) throws(PlacesError) -> AreaFacts? {
        for area in areas {
            try look()
            try add(area)
        }
        areas = []
        let (count, isEmpty) = (writer.count, writer.isEmpty)
        guard !isEmpty else { return nil }
        var own = AreaIndexWriter(scratchFolder: "")
        swap(&own, &writer)
        do throws(GeoError) {
            return AreaFacts(count: UInt64(count), byteCount: UInt64(try own.write(to: path)))
        } catch {
            throw PlacesError(error, "the areas of the file")
        }
    }

    private func add(_ area: Area) throws(PlacesError) {
        let members = members[area.members]
        let ways = geometry.memberWays
        guard members.reduce(0, { $0 + ways.count(of: $1.id) }) <= Self.maximumNodesOfOne else {
            return note(area.record)
        }
        let (outers, inners) = (ways.lines(of: members, .outer), ways.lines(of: members, .inner))
        // Where all is said to be a hole, nothing is one.
        let edges =
            members.contains { $0.part == .outer }
            ? AreaEdges(outers: outers, inners: inners, geometry.point)
            : AreaEdges(outers: inners, inners: [], geometry.point)
        let isMissing = members.contains { ways.count(of: $0.id) == 0 }
        if edges.isBroken || isMissing { note(area.record) }
        try add(area.record, edges)
    }

    private func add(_ record: AreaRecord, _ edges: AreaEdges) throws(PlacesError) {
        guard !edges.rings.isEmpty, let number = writer.add(record) else { return }
        try converting { () throws(GeoError) in try writer.add(rings: edges.rings, to: number, record.kind) }
    }

    private func note(_ record: AreaRecord) {
        brokenCount += 1
        if broken.count < 3 { broken.append(record) }
    }

    private func converting(_ body: () throws(GeoError) -> Void) throws(PlacesError) {
        do throws(GeoError) { try body() } catch { throw PlacesError(error, "the areas of the file") }
    }

    /// What is not whole in the file, for people; nil when all is.
    var problem: String? {
        guard brokenCount > 0 else { return nil }
        let names = broken.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
        return "the edges of \(brokenCount) areas are not all in the file, such as \(names)"
    }
}
