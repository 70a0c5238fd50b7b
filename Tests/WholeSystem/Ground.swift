package import Contracts
package import TestTools

/// Where pins are put: points of central Helsinki where places and pictures are dense.
package enum Ground {
    private static let points: [(latitude: Double, longitude: Double)] = [
        (60.1675, 24.9430), (60.1699, 24.9384), (60.1686, 24.9406), (60.1695, 24.9525), (60.1712, 24.9440),
    ]

    /// A point that no other pin is at.
    package static func point(_ random: inout SeededGenerator) -> Coordinate {
        let point = random.one(of: points)
        return Coordinate(
            latitude: point.latitude + .random(in: -0.001...0.001, using: &random),
            longitude: point.longitude + .random(in: -0.002...0.002, using: &random))
    }

    /// Metres.
    package static func radius(_ random: inout SeededGenerator) -> Double { random.one(of: [200, 300, 500, 800]) }
}
