import PlaceContracts

/// Ways that areas or the coast are made of, kept by their nodes until all of them are known.
struct MapMembers {
    /// Nodes that are kept, 8 bytes each; ways beyond them are left out.
    private static let mostNodes = 32_000_000
    /// Nodes of one area, counted as often as it names their ways.
    private static let mostOfOne = 2_000_000

    private var nodes: [Int64] = []
    private var ways: [Int64: Range<Int>] = [:]
    private(set) var coast: [[Int64]] = []
    private var coastCount = 0
    private let wanted: SortedIDs
    private var cursor = 0

    /// - Parameter wanted: the ids of ways that areas are made of.
    init(_ wanted: [Int64]) { self.wanted = SortedIDs(wanted) }

    mutating func note(_ way: Int64, _ ids: [Int64]) {
        guard wanted.index(of: way, near: &cursor) != nil, nodes.count + ids.count <= Self.mostNodes else { return }
        ways[way] = nodes.count..<nodes.count + ids.count
        nodes += ids
    }

    /// Keeps a line of coast.
    mutating func note(coast ids: [Int64]) {
        guard ids.count > 1, coastCount + ids.count <= Self.mostNodes else { return }
        coastCount += ids.count
        coast.append(ids)
    }

    /// The closed rings that some of the ways make, by their nodes; nil when they have too many.
    func rings(of members: ArraySlice<OSMShapes.Member>, _ part: OSMShapes.Member.Part) -> [[Int64]]? {
        let ranges = members.filter { $0.part == part }.compactMap { ways[$0.id] }
        guard ranges.reduce(0, { $0 + $1.count }) <= Self.mostOfOne else { return nil }
        return OSMCentre.joined(ranges.map { Array(nodes[$0]) }).filter { $0.count > 3 && $0.first == $0.last }
    }
}
