/// Rings, whose first point is not repeated at their end. On a map with north above, an outer ring turns like a clock,
/// the ring of a hole the other way.
package enum Rings {
    /// Holes times outer rings, and points of these, that are compared; holes beyond that are left out.
    private static let maximumComparisons = 50_000_000

    /// The area in squares of the world; negative for a ring that turns against the clock.
    package static func area(_ ring: [WorldPoint]) -> Double {
        guard let origin = ring.first, var before = ring.last else { return 0 }
        var sum = 0.0
        for point in ring {
            sum += (before.x - origin.x) * (point.y - origin.y) - (point.x - origin.x) * (before.y - origin.y)
            before = point
        }
        return sum / 2
    }

    /// The same ring, turning as it should.
    package static func turned(_ ring: [WorldPoint], isHole: Bool) -> [WorldPoint] {
        (area(ring) < 0) == isHole ? ring : ring.reversed()
    }

    /// Outer rings and holes as a list in which each hole follows the outer ring that it is in. A hole in none is left
    /// out.
    package static func nested(outers: [[WorldPoint]], holes: [[WorldPoint]]) -> [[WorldPoint]] {
        let outers = outers.map { turned($0, isHole: false) }
        guard !holes.isEmpty else { return outers }
        var seekers = outers.map { RingSeeker($0) }
        var holesOf = outers.map { _ in [[WorldPoint]]() }
        var comparisons = 0
        for hole in holes where comparisons <= maximumComparisons {
            let owner = outers.indices.first { index in
                comparisons += 1
                return seekers[index].contains(hole: hole, &comparisons)
            }
            if let owner { holesOf[owner].append(turned(hole, isHole: true)) }
        }
        return zip(outers, holesOf).flatMap { [$0] + $1 }
    }

    /// Whether a point is in a ring: a ray to the east crosses it an odd number of times.
    package static func contains(_ ring: [WorldPoint], _ point: WorldPoint) -> Bool {
        guard var before = ring.last else { return false }
        var isInside = false
        for next in ring {
            if (next.y > point.y) != (before.y > point.y) {
                let crossing = next.x + (point.y - next.y) / (before.y - next.y) * (before.x - next.x)
                if point.x < crossing { isInside.toggle() }
            }
            before = next
        }
        return isInside
    }
}
