/// A point in 1e-7 degrees.
struct GridPoint: Hashable {
    var latitude: Int32
    var longitude: Int32
}

/// The positions of those nodes that ways and relations need: 16 bytes each.
struct NodePositions {
    private static let unknown = GridPoint(latitude: .min, longitude: .min)
    /// Length of a unit of ours in those of the file, 1e-9 degrees.
    private static let unit: Int64 = 100
    private static let latitudes: ClosedRange<Int64> = -90_000_000_000...90_000_000_000
    private static let longitudes: ClosedRange<Int64> = -180_000_000_000...180_000_000_000

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
        guard Self.latitudes.contains(node.latitude), Self.longitudes.contains(node.longitude) else { return }
        points[index] = GridPoint(latitude: Self.rounded(node.latitude), longitude: Self.rounded(node.longitude))
    }

    /// Where a node is; nil when the file has not told.
    func point(_ id: Int64) -> GridPoint? {
        guard let index = ids.index(of: id), points[index] != Self.unknown else { return nil }
        return points[index]
    }

    func points(_ ids: some Sequence<Int64>) -> [GridPoint] { ids.compactMap { point($0) } }

    private static func rounded(_ degrees: Int64) -> Int32 {
        Int32(clamping: (degrees + (degrees < 0 ? -unit / 2 : unit / 2)) / unit)
    }
}
