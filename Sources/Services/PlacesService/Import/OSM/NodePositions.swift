/// A point in 1e-7 degrees.
struct GridPoint: Hashable {
    var latitude: Int32
    var longitude: Int32
}

extension GridPoint {
    /// Length of a unit of ours in those of the file, 1e-9 degrees.
    private static let unit: Int64 = 100
    private static let latitudes: ClosedRange<Int64> = -90_000_000_000...90_000_000_000
    private static let longitudes: ClosedRange<Int64> = -180_000_000_000...180_000_000_000

    /// The position of a node; nil when it is not on Earth.
    init?(_ node: OSMNode) {
        guard Self.latitudes.contains(node.latitude), Self.longitudes.contains(node.longitude) else { return nil }
        self.init(latitude: Self.rounded(node.latitude), longitude: Self.rounded(node.longitude))
    }

    private static func rounded(_ degrees: Int64) -> Int32 {
        Int32(clamping: (degrees + (degrees < 0 ? -unit / 2 : unit / 2)) / unit)
    }
}

/// The positions of those nodes that ways and relations need: 16 bytes each.
struct NodePositions {
    private static let unknown = GridPoint(latitude: .min, longitude: .min)

    private let ids: SortedIDs
    private var points: [GridPoint]
    private var cursor = 0

    /// Nodes with these ids will be kept.
    init(_ ids: [Int64]) {
        self.ids = SortedIDs(ids)
        points = Array(repeating: Self.unknown, count: self.ids.count)
    }

    /// Keeps a node's position when it is needed and on Earth.
    mutating func note(_ node: OSMNode) {
        guard let index = ids.index(of: node.id, near: &cursor) else { return }
        if let point = GridPoint(node) { points[index] = point }
    }

    /// The position of a node; nil when it has not occurred in the file.
    func point(_ id: Int64) -> GridPoint? {
        guard let index = ids.index(of: id), points[index] != Self.unknown else { return nil }
        return points[index]
    }

    func points(_ ids: some Sequence<Int64>) -> [GridPoint] { ids.compactMap { point($0) } }
}

/// Distinct ids in ascending order. Looking them up in about that order takes a few steps each.
struct SortedIDs {
    private let ids: [Int64]

    /// Takes ids in any order, also repeated ones.
    init(_ ids: consuming [Int64]) {
        ids.sort()
        var count = 0
        for index in ids.indices where index == 0 || ids[index] != ids[count - 1] {
            ids[count] = ids[index]
            count += 1
        }
        ids.removeLast(ids.count - count)
        self.ids = ids
    }

    var count: Int { ids.count }

    /// The index of an id; nil when it is missing.
    func index(of id: Int64) -> Int? {
        var cursor = 0
        return index(of: id, near: &cursor)
    }

    /// The same; the search begins at `cursor`, where the one before ended.
    func index(of id: Int64, near cursor: inout Int) -> Int? {
        var (low, high) = range(around: id, from: cursor)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        cursor = low
        return low < ids.count && ids[low] == id ? low : nil
    }

    /// A range that the first id not below `id` is in or just behind: from the cursor in steps that double.
    private func range(around id: Int64, from cursor: Int) -> (low: Int, high: Int) {
        guard cursor < ids.count, ids[cursor] < id else { return (0, min(cursor, ids.count)) }
        var (low, step) = (cursor + 1, 1)
        while low + step < ids.count, ids[low + step] < id {
            low += step + 1
            step *= 2
        }
        return (low, min(low + step, ids.count))
    }
}
