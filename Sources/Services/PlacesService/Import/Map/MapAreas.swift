import PlaceContracts
import VectorTiles

/// Relations that are drawn as areas, kept until the nodes of their ways are known.
struct MapAreas {
    /// Relations that are kept; what is beyond is left out.
    private static let most = 2_000_000
    /// Members of these relations.
    private static let maximumMembers = 16_000_000
    /// Nodes of one area, counted as often as it names their ways.
    private static let maximumNodesOfOne = 2_000_000

    struct Area {
        let style: MapStyle
        /// What is marked in its middle.
        let marks: [MapStyle]
        let names: [TileFeature.Property]
        fileprivate let members: Range<Int>
    }

    private(set) var areas: [Area] = []
    private var members: [OSMMember] = []

    /// The ways that they are made of.
    var ways: [Int64] { members.map(\.id) }

    /// Keeps a relation that is an area.
    mutating func note(_ relation: PbfRelation, _ tags: MapTags, in block: OSMBlock) throws(PlacesError) {
        guard tags["type"] == "multipolygon", areas.count < Self.most, let style = MapRules.style(ofArea: tags) else {
            return
        }
        let parts = try block.members(of: relation).filter { $0.part == .outer || $0.part == .inner }
        guard parts.count + members.count <= Self.maximumMembers else { return }
        members += parts
        areas.append(
            Area(
                style: style, marks: MapMarks.styles(tags), names: tags.names,
                members: members.count - parts.count..<members.count))
    }

    /// The edges of an area; nil when it has too many nodes.
    func rings(of area: Area, _ geometry: OSMGeometry) -> MapRings? {
        let members = members[area.members]
        guard let outers = Self.rings(of: members, .outer, geometry.memberWays),
            let holes = Self.rings(of: members, .inner, geometry.memberWays)
        else { return nil }
        var rings = MapRings()
        for ids in outers { rings.add(outer: ids, geometry.ring) }
        for ids in holes { rings.add(hole: ids, geometry.ring) }
        return rings
    }

    /// The middle of an area; nil when its edge is not known.
    func middle(of area: Area, _ geometry: OSMGeometry) -> GridPoint? {
        guard let outers = Self.rings(of: members[area.members], .outer, geometry.memberWays) else { return nil }
        return outers.lazy.compactMap(geometry.middle).first
    }

    /// The closed rings that some of the ways make, by their nodes; nil when they have too many.
    private static func rings(
        of members: ArraySlice<OSMMember>, _ part: OSMMember.Part, _ ways: MemberWays
    ) -> [[Int64]]? {
        let nodeCount = members.reduce(0) { $0 + ($1.part == part ? ways.count(of: $1.id) : 0) }
        guard nodeCount <= maximumNodesOfOne else { return nil }
        return OSMCentre.joined(ways.lines(of: members, part)).filter { $0.count > 3 && $0.first == $0.last }
    }
}
