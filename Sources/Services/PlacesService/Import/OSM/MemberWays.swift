/// The ways that relations are made of, by their nodes: kept once for all that the relations become.
struct MemberWays {
    /// Nodes of ways that can be left out, 8 bytes each; what is beyond is left out.
    private static let maximumOptional = 32_000_000

    private let ids: SortedIDs
    /// Which of `ids` can't be left out.
    private var isNeeded: [Bool]
    /// Which of `nodes` each of `ids` has; empty until it was seen.
    private var ranges: [Range<Int>]
    private var nodes: [Int64] = []
    private var optionalCount = 0
    private var cursor = 0

    /// - Parameters:
    ///   - needed: ids of ways, in any order, also repeated ones.
    ///   - optional: the same; those without which less can be made of a file that has too many.
    init(needed: [Int64] = [], optional: [Int64] = []) {
        let ids = SortedIDs(needed + optional)
        isNeeded = Array(repeating: false, count: ids.count)
        ranges = Array(repeating: 0..<0, count: ids.count)
        for id in needed { if let index = ids.index(of: id) { isNeeded[index] = true } }
        self.ids = ids
    }

    /// Bytes of memory that they take.
    var heldBytes: Int { 8 * nodes.count + 25 * ids.count }

    /// Keeps the nodes of a way when it belongs to a relation; says whether it does.
    mutating func note(_ way: OSMWay) -> Bool {
        guard let index = ids.index(of: way.id, near: &cursor) else { return false }
        if !isNeeded[index] {
            guard optionalCount + way.nodes.count <= Self.maximumOptional else { return false }
            optionalCount += way.nodes.count
        }
        ranges[index] = nodes.count..<nodes.count + way.nodes.count
        nodes += way.nodes
        return true
    }

    /// The nodes of a way; empty when it was not in the file.
    subscript(way: Int64) -> ArraySlice<Int64> { ids.index(of: way).map { nodes[ranges[$0]] } ?? [] }

    /// The nodes of those members that are ways in a part, each way by itself.
    func lines(of members: ArraySlice<OSMMember>, _ part: OSMMember.Part) -> [[Int64]] {
        members.filter { $0.part == part }.map { Array(self[$0.id]) }.filter { !$0.isEmpty }
    }
}
