import EventLoops
import Scratch

/// The ways that relations are made of, by their nodes: kept once for all that the relations become, the nodes in a
/// file without a name.
struct MemberWays {
    /// Nodes of ways that can be left out, 8 bytes each; what is beyond is left out.
    private static let maximumOptional = 32_000_000

    private let ids: SortedIDs
    /// Which of `ids` can't be left out.
    private var isNeeded: [Bool]
    /// Which nodes each of `ids` has; empty until it was seen.
    private var ranges: [Range<Int>]
    private var nodeCount = 0
    private let folder: String
    /// Nil without nodes.
    private var file: ScratchFile?
    private var optionalCount = 0
    private var cursor = 0

    /// - Parameters:
    ///   - needed: ids of ways, in any order, also repeated ones.
    ///   - optional: the same; those without which less can be made of a file that has too many.
    ///   - folder: where there is room for the file.
    init(needed: [Int64] = [], optional: [Int64] = [], folder: String = "") {
        let ids = SortedIDs(needed + optional)
        self.folder = folder
        isNeeded = Array(repeating: false, count: ids.count)
        ranges = Array(repeating: 0..<0, count: ids.count)
        for id in needed { if let index = ids.index(of: id) { isNeeded[index] = true } }
        self.ids = ids
    }

    /// Bytes of memory that they take.
    var heldBytes: Int { 25 * ids.count }

    /// Keeps the nodes of a way when it belongs to a relation.
    mutating func note(_ way: OSMWay) throws(SystemError) {
        guard let index = ids.index(of: way.id, near: &cursor) else { return }
        if !isNeeded[index] {
            guard optionalCount + way.nodes.count <= Self.maximumOptional else { return }
            optionalCount += way.nodes.count
        }
        if file == nil { file = try ScratchFile(in: folder) }
        try file?.append(words: way.nodes.map(UInt64.init(bitPattern:))[...])
        ranges[index] = nodeCount..<nodeCount + way.nodes.count
        nodeCount += way.nodes.count
    }

    /// All ways were seen: from here on their nodes can be read.
    func seal() throws(SystemError) { try file?.seal() }

    /// How many nodes a way has; 0 when it was not in the file.
    func count(of way: Int64) -> Int { ids.index(of: way).map { ranges[$0].count } ?? 0 }

    /// The nodes of a way; empty when it was not in the file.
    subscript(way: Int64) -> [Int64] {
        guard let index = ids.index(of: way), let file else { return [] }
        return ranges[index].map { Int64(bitPattern: file.word(at: 8 * $0)) }
    }

    /// The nodes of those members that are ways in a part, each way by itself.
    func lines(of members: ArraySlice<OSMMember>, _ part: OSMMember.Part) -> [[Int64]] {
        members.filter { $0.part == part }.map { self[$0.id] }.filter { !$0.isEmpty }
    }
}
