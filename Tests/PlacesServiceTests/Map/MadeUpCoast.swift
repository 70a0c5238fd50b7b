import Glibc
import TestTools
import VectorTiles

/// A made-up piece of the world: land and sea with bays, islands, islands in bays, inner seas and islands in these.
struct MadeUpCoast {
    /// How large the piece is, in widths of the world, and how long the steps of its coasts are.
    static let size = 1.0 / 1500
    static let step = size / 250

    /// Its north-west corner.
    let corner: WorldPoint
    /// Coasts as closed rings, each in no step of another one.
    private(set) var rings: [[WorldPoint]] = []

    init(_ numbers: inout SeededGenerator) {
        // Of some pieces the antimeridian is in the middle, and x goes on beyond 1.
        let x =
            Int.random(in: 0..<6, using: &numbers) == 0 ? 1 - Self.size / 2 : .random(in: 0.05...0.9, using: &numbers)
        corner = WorldPoint(x: x, y: .random(in: 0.2...0.75, using: &numbers))
        for radius in [0.5, 0.35, 0.2, 0.2, 0.1, 0.1, 0.06, 0.06, 0.03, 0.03, 0.02] {
            for _ in 0..<3 {
                let ring = ring(radius * Self.size * .random(in: 0.7...1.3, using: &numbers), &numbers)
                guard isFree(ring) else { continue }
                rings.append(ring)
                break
            }
        }
        // Land is on the left of a coast: on this map, whose south is below, a ring around land turns against the
        // clock.
        for index in rings.indices {
            let isIsland = !isLand(rings[index][0], without: index)
            rings[index] = Rings.turned(rings[index], isHole: isIsland)
        }
    }

    func isLand(_ point: WorldPoint) -> Bool { isLand(point, without: nil) }

    /// How far a point is from the next coast.
    func distance(_ point: WorldPoint) -> Double {
        rings.joined().reduce(.infinity) { min($0, Self.distance($1, point)) } - Self.step
    }

    private func isLand(_ point: WorldPoint, without index: Int?) -> Bool {
        !rings.indices.count { $0 != index && Rings.contains(rings[$0], point) }.isMultiple(of: 2)
    }

    private func isFree(_ ring: [WorldPoint]) -> Bool {
        rings.allSatisfy { other in
            !Rings.contains(ring, other[0])
                && ring.allSatisfy { point in other.allSatisfy { Self.distance($0, point) > 3 * Self.step } }
        }
    }

    private func ring(_ radius: Double, _ numbers: inout SeededGenerator) -> [WorldPoint] {
        let centre = WorldPoint(
            x: corner.x + .random(in: 0...1, using: &numbers) * Self.size,
            y: corner.y + .random(in: 0...1, using: &numbers) * Self.size)
        let waves = (2...6).map { wave in
            (
                wave, Double.random(in: 0...0.7 / Double(wave), using: &numbers),
                Double.random(in: 0...7, using: &numbers)
            )
        }
        let count = max(8, Int(radius * 6.3 / Self.step))
        return (0..<count).map { index in
            let angle = Double(index) / Double(count) * 2 * .pi
            let reach = waves.reduce(1) { $0 + $1.1 * sin(Double($1.0) * angle + $1.2) }
            return WorldPoint(
                x: centre.x + max(reach, 0.2) * radius * cos(angle), y: centre.y + max(reach, 0.2) * radius * sin(angle)
            )
        }
    }

    static func distance(_ a: WorldPoint, _ b: WorldPoint) -> Double { hypot(a.x - b.x, a.y - b.y) }
}
