import PlaceContracts
import FeatureFiles
import Geo
import Wire

/// Ways and relations that are places, kept until the positions of their nodes are known.
struct OSMShapes {
    /// Bytes that all of them may take: those of a continent do.
    static let mostBytes = 4 << 30
    /// Nodes that one of them may have, those of a way counted as often as a relation names it. The centre is found in
    /// about 64 bytes of memory for each.
    static let mostNodes = 10_000_000

    /// A node or a way in a relation.
    struct Member {
        enum Part { case node, outer, inner, other }
        let id: Int64
        let part: Part
    }

    private enum Parts {
        /// Of a way: which of `nodes` it has.
        case nodes(Range<Int>)
        /// Of a relation: which of `members`, and whether its ways are the edges of an area.
        case members(Range<Int>, isArea: Bool)
    }

    private struct Shape {
        /// Number of the blob that it came in.
        let blob: UInt64
        let text: Range<Int>
        let parts: Parts
    }

    private let mostBytes: Int
    private var shapes: [Shape] = []
    /// Packed places without a position, one after the other.
    private var texts: [UInt8] = []
    private var nodes: [Int64] = []
    private var members: [Member] = []
    private var memberWays = SortedIDs([])
    private var memberCursor = 0
    /// Which of `nodes` each of `memberWays` has; empty until it was seen.
    private var memberNodes: [Range<Int>] = []
    /// Nodes whose positions came with a way.
    private var positioned: [OSMNode] = []
    private var positions = NodePositions([])

    init(mostBytes: Int = OSMShapes.mostBytes) { self.mostBytes = mostBytes }

    var count: Int { shapes.count }
    var needsWays: Bool { memberWays.count > 0 }

    /// A node's id is kept three times in the end, for a while.
    private var heldBytes: Int {
        texts.count + 64 * shapes.count + 40 * (nodes.count + positioned.count) + 48 * members.count
    }

    /// Whether houses without a name still have room. Named things need the rest.
    var hasRoomForAddresses: Bool { heldBytes < mostBytes / 2 }

    /// Keeps a way.
    mutating func add(_ row: PlaceRow, _ way: PbfWay, in block: OSMBlock) throws(PlacesError) {
        try add(row, block.place, .nodes(try keepNodes(of: way, block)))
    }

    private mutating func keepNodes(of way: PbfWay, _ block: OSMBlock) throws(PlacesError) -> Range<Int> {
        let ids = try block.runningSums(way.nodes)
        positioned += try block.nodes(of: way, ids)
        nodes += ids
        return (nodes.count - ids.count)..<nodes.count
    }

    /// Keeps a relation.
    mutating func add(
        _ row: PlaceRow, from place: BlobPlace, members own: [Member], isArea: Bool
    ) throws(PlacesError) {
        members += own
        try add(row, place, .members((members.count - own.count)..<members.count, isArea: isArea))
    }

    private mutating func add(_ row: PlaceRow, _ blob: BlobPlace, _ parts: Parts) throws(PlacesError) {
        let place = Place(
            id: row.id ?? "", name: row.name, categories: [row.categories],
            attributes: row.attributes.map { Attribute(key: $0.key, value: $0.value) })
        let start = texts.count
        texts += place.packedBytes()
        shapes.append(Shape(blob: blob.number, text: start..<texts.count, parts: parts))
        try refuseTooMuch()
    }

    private func refuseTooMuch() throws(PlacesError) {
        guard heldBytes <= mostBytes else {
            throw .badFile(
                reason:
                    "its named ways and relations take more than \(mostBytes) bytes of memory; import a smaller area")
        }
    }

    /// All ways and relations were seen: determines which ways the relations are made of.
    mutating func findMemberWays() {
        memberWays = SortedIDs(members.compactMap { $0.part == .node ? nil : $0.id })
        memberNodes = Array(repeating: 0..<0, count: memberWays.count)
    }

    /// Keeps the nodes of a way when it belongs to a relation.
    mutating func note(_ way: PbfWay, in block: OSMBlock) throws(PlacesError) {
        guard let index = memberWays.index(of: way.id, near: &memberCursor) else { return }
        memberNodes[index] = try keepNodes(of: way, block)
        try refuseTooMuch()
    }

    /// All member ways were seen: determines which nodes are needed.
    mutating func findNodes() {
        positions = NodePositions(nodes + members.compactMap { $0.part == .node ? $0.id : nil })
        for node in positioned { positions.note(node) }
        positioned = []
    }

    /// Keeps a node's position when it is needed.
    mutating func note(_ node: OSMNode) { positions.note(node) }

    /// Writes a way or relation to a row; returns nothing when none of its nodes was in the file.
    func fill(_ row: inout PlaceRow, _ index: Int) -> RowEvent {
        let shape = shapes[index]
        guard let place = try? Place(packed: texts[shape.text]) else { return .nothing }
        let nodeCount = nodeCount(shape.parts)
        guard nodeCount <= Self.mostNodes else {
            let problem = "\(place.id): it has \(nodeCount) nodes, at most \(Self.mostNodes) are allowed"
            return .bad(line: shape.blob, RowProblem(problem))
        }
        guard let centre = centre(shape.parts) else { return .nothing }
        row.id = place.id
        row.name = place.name
        row.categories = place.categories.first ?? ""
        row.latitude = centre.latitude
        row.longitude = centre.longitude
        row.attributes = place.attributes.map { ($0.key, $0.value) }
        return .row(line: shape.blob)
    }

    private func nodeCount(_ parts: Parts) -> Int {
        switch parts {
        case .nodes(let range): range.count
        case .members(let range, _):
            members[range].reduce(0) { $0 + ($1.part == .node ? 1 : memberRange($1.id)?.count ?? 0) }
        }
    }

    private func centre(_ parts: Parts) -> OSMCentre.Centre? {
        switch parts {
        case .nodes(let range): return centre(ofWay: nodes[range])
        case .members(let range, let isArea):
            return (isArea ? centre(ofArea: members[range]) : nil) ?? middle(of: members[range])
        }
    }

    private func centre(ofWay ids: some RandomAccessCollection<Int64>) -> OSMCentre.Centre? {
        let points = positions.points(ids)
        let isClosed = points.count == ids.count && ids.count > 3 && ids.first == ids.last
        return isClosed ? OSMCentre.ofArea([points]) : OSMCentre.middle(ofLine: points)
    }

    /// The centre of the rings that the outer ways make; of the longest piece when the file has no whole ring.
    private func centre(ofArea members: ArraySlice<Member>) -> OSMCentre.Centre? {
        let outers = OSMCentre.joined(lines(of: members, .outer))
        let closed = outers.filter { $0.first == $0.last }.map { positions.points($0) }.filter { !$0.isEmpty }
        if closed.isEmpty {
            return outers.max { $0.count < $1.count }.flatMap { OSMCentre.middle(ofLine: positions.points($0)) }
        }
        let holes = OSMCentre.joined(lines(of: members, .inner)).filter { $0.first == $0.last }
        return OSMCentre.ofArea(closed, holes: holes.map { positions.points($0) })
    }

    private func lines(of members: ArraySlice<Member>, _ part: Member.Part) -> [[Int64]] {
        members.filter { $0.part == part }.compactMap { nodes(ofWay: $0.id) }
    }

    private func nodes(ofWay id: Int64) -> [Int64]? { memberRange(id).map { Array(nodes[$0]) } }

    /// Which of `nodes` a way of a relation has; nil when it was not in the file, or has none.
    private func memberRange(_ way: Int64) -> Range<Int>? {
        guard let index = memberWays.index(of: way), !memberNodes[index].isEmpty else { return nil }
        return memberNodes[index]
    }

    /// The middle of the smallest box around all members.
    private func middle(of members: ArraySlice<Member>) -> OSMCentre.Centre? {
        var points: [Geo.Coordinate] = []
        for member in members {
            let known = positions.points(member.part == .node ? [member.id] : nodes(ofWay: member.id) ?? [])
            points += known.compactMap { try? Geo.Coordinate(latitudeE7: $0.latitude, longitudeE7: $0.longitude) }
        }
        return Box(around: points).map { ($0.centre.latitude, $0.centre.longitude) }
    }
}
