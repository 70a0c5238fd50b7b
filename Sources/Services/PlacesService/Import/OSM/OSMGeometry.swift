import EventLoops
import FeatureFiles
import Geo
import Scratch

/// Where the nodes of a file are, and which nodes the ways of its relations have: kept once, for all that is made of
/// the file.
final class OSMGeometry {
    /// Nodes that a place may have, those of a way counted as often as a relation names it. The centre is found in
    /// about 64 bytes of memory for each.
    static let maximumNodes = 10_000_000
    private static let what = "the nodes of the file"

    private(set) var nodes: NodeTable
    private(set) var memberWays = MemberWays()
    /// Where files without names are.
    let folder: String
    /// Bytes that each table of what is made of the file may take in memory.
    let memory: Int

    init(folder: String, memory: Int = RecordSorter.ordinaryMemory) throws(PlacesError) {
        (self.folder, self.memory) = (folder, memory)
        nodes = try PlacesError.converting(Self.what) { () throws(SystemError) in try NodeTable(folder: folder) }
    }

    /// Keeps a node.
    func add(_ id: Int64, _ point: GridPoint) throws(PlacesError) {
        do throws(SystemError) { try nodes.add(id, point) } catch { throw PlacesError(error, Self.what) }
    }

    /// All nodes were seen: from here on they can be found.
    func seal() throws(PlacesError) {
        do throws(SystemError) { try nodes.seal() } catch { throw PlacesError(error, Self.what) }
        if nodes.isUnordered {
            throw .badFile(reason: "its nodes are in no order; osmium sort brings them into it")
        }
    }

    /// All relations were seen: ways with these ids will be kept.
    /// - Parameter optional: those that are left out of a file that has too many.
    func keepWays(needed: [Int64], optional: [Int64]) {
        memberWays = MemberWays(needed: needed, optional: optional, folder: folder)
    }

    /// Keeps the nodes of a way when it belongs to a relation.
    func note(_ way: OSMWay) throws(PlacesError) {
        do throws(SystemError) { try memberWays.note(way) } catch { throw PlacesError(error, Self.what) }
    }

    /// All ways were seen.
    func sealWays() throws(PlacesError) {
        do throws(SystemError) { try memberWays.seal() } catch { throw PlacesError(error, Self.what) }
    }

    /// Where a node is; nil when the file does not have it.
    func point(_ id: Int64) -> GridPoint? { nodes.point(id) }

    func points(_ ids: some Sequence<Int64>) -> [GridPoint] { ids.compactMap { nodes.point($0) } }
}

// MARK: centres

extension OSMGeometry {
    /// The centre of a way; nil when none of its nodes is in the file.
    /// - Parameter points: where those of its nodes are that are in the file.
    func centre(ofWay ids: [Int64], _ points: [GridPoint]) throws(RowProblem) -> OSMCentre.Centre? {
        try Self.refuse(nodeCount: ids.count)
        let isClosed = points.count == ids.count && ids.count > 3 && ids.first == ids.last
        return isClosed ? OSMCentre.ofArea([points]) : OSMCentre.middle(ofLine: points)
    }

    /// The centre of a relation.
    /// - Parameter isArea: whether its ways are the edges of an area.
    func centre(of members: ArraySlice<OSMMember>, isArea: Bool) throws(RowProblem) -> OSMCentre.Centre? {
        try Self.refuse(nodeCount: members.reduce(0) { $0 + ($1.part == .node ? 1 : memberWays.count(of: $1.id)) })
        return (isArea ? centre(ofArea: members) : nil) ?? middle(of: members)
    }

    private static func refuse(nodeCount: Int) throws(RowProblem) {
        guard nodeCount <= maximumNodes else {
            throw RowProblem("it has \(nodeCount) nodes, at most \(maximumNodes) are allowed")
        }
    }

    /// The centre of the rings that the outer ways make; of the longest piece when the file has no whole ring.
    private func centre(ofArea members: ArraySlice<OSMMember>) -> OSMCentre.Centre? {
        let outers = OSMCentre.joined(memberWays.lines(of: members, .outer))
        let closed = outers.filter { $0.first == $0.last }.map { points($0) }.filter { !$0.isEmpty }
        if closed.isEmpty {
            return outers.max { $0.count < $1.count }.flatMap { OSMCentre.middle(ofLine: points($0)) }
        }
        let holes = OSMCentre.joined(memberWays.lines(of: members, .inner)).filter { $0.first == $0.last }
        return OSMCentre.ofArea(closed, holes: holes.map { points($0) })
    }

    /// The middle of the smallest box around all members.
    private func middle(of members: ArraySlice<OSMMember>) -> OSMCentre.Centre? {
        var corners: [Geo.Coordinate] = []
        for member in members {
            let known = member.part == .node ? points([member.id]) : points(memberWays[member.id])
            corners += known.compactMap { try? Geo.Coordinate(latitudeE7: $0.latitude, longitudeE7: $0.longitude) }
        }
        return Box(around: corners).map { ($0.centre.latitude, $0.centre.longitude) }
    }
}
