import Contracts
import Geo
import Glibc
import Wire

/// Any number of places that are scattered as real ones are: each is a real one, moved by about a third of what lies
/// between it and its neighbours (a smoothed bootstrap). The same for every run.
struct Resampling {
    private struct Original {
        let name: Substring
        let category: Substring
        let latitude: Double
        let longitude: Double
    }

    /// About 1.1 km.
    private static let cellDegrees = 0.01

    private let originals: [Original]
    private let spreads: [Double]
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Reads columns id, name, category, lat, lon.
    init(points: String) throws {
        originals = try BenchFile.rows(points).compactMap { columns in
            guard columns.count >= 5, let latitude = Double(columns[3]), let longitude = Double(columns[4])
            else { return nil }
            return Original(name: columns[1], category: columns[2], latitude: latitude, longitude: longitude)
        }
        var counts: [Int: Int] = [:]
        let cells = originals.map { Self.cell($0.latitude, $0.longitude) }
        for cell in cells { counts[cell, default: 0] += 1 }
        spreads = cells.map { 0.35 * Self.cellDegrees / Double(counts[$0] ?? 1).squareRoot() }
    }

    /// How many places are real.
    var realCount: Int { originals.count }

    /// A builder with `count` places; the first are the real ones themselves.
    mutating func places(_ count: Int) throws -> SnapshotBuilder {
        var builder = SnapshotBuilder()
        for number in 0..<count { try add(number, to: &builder) }
        return builder
    }

    /// Adds place `number`: a real one, or one like it.
    mutating func add(_ number: Int, to builder: inout SnapshotBuilder) throws {
        let index = number < originals.count ? number : Int(next() % UInt64(originals.count))
        let original = originals[index]
        let spread = number < originals.count ? 0 : spreads[index]
        let (north, east) = normal()
        let latitude = min(90, max(-90, original.latitude + north * spread))
        let longitude = original.longitude + east * spread / max(0.05, cos(latitude * .pi / 180))
        let position = try Geo.Coordinate(
            latitude: latitude, longitude: longitude > 180 ? longitude - 360 : max(-180, longitude))
        let id = "catalog/bench/\(number)"
        let place = Place(
            id: id, name: String(original.name), categories: [String(original.category)],
            position: Contracts.Coordinate(latitude: position.latitude, longitude: position.longitude))
        try builder.add(
            id: Array(id.utf8), at: position, categories: try builder.categorySet([Array(original.category.utf8)]),
            record: place.packedBytes())
    }

    private static func cell(_ latitude: Double, _ longitude: Double) -> Int {
        Int((latitude / cellDegrees).rounded(.down)) * 40_000 + Int((longitude / cellDegrees).rounded(.down))
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    private mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Two numbers of the normal distribution (Box and Muller 1958).
    private mutating func normal() -> (Double, Double) {
        let u = (Double(next() >> 11) + 1) / 0x1p53
        let turn = 2 * Double.pi * Double(next() >> 11) / 0x1p53
        let length = (-2 * log(u)).squareRoot()
        return (length * cos(turn), length * sin(turn))
    }
}
