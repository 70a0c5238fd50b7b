/// A point in 1e-7 degrees.
struct GridPoint: Hashable {
    var latitude: Int32
    var longitude: Int32
}

extension GridPoint {
    /// As a number.
    var word: UInt64 { UInt64(UInt32(bitPattern: latitude)) << 32 | UInt64(UInt32(bitPattern: longitude)) }

    init(word: UInt64) {
        self.init(latitude: Int32(truncatingIfNeeded: word >> 32), longitude: Int32(truncatingIfNeeded: word))
    }

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
