/// Finds out which holes are in an outer ring. That has its steps in bands from north to south, so that each point is
/// compared with those beside it only: a coast of a million points has thousands of islands.
package struct RingSeeker {
    /// Points of a hole that are asked for: it may touch the ring with some.
    private static let maximum = 5
    private static let stepsPerBand = 16
    private static let maximumBands = 4096
    /// Bands that a step lies in, on average: those of a zigzag cross all.
    private static let bandsPerStep = 4.0

    private let ring: [WorldPoint]
    private let box: WorldBox?
    /// Made for the first hole that lies in its box.
    private var bands: [[Int32]] = []

    package init(_ ring: [WorldPoint]) {
        self.ring = ring
        box = WorldBox(around: ring)
    }

    /// Whether most of some points in the middle of a hole's steps are in the ring.
    package mutating func contains(hole: [WorldPoint], _ comparisons: inout Int) -> Bool {
        guard let box, let first = hole.first, box.grown(by: 1e-9).contains(first) else { return false }
        if bands.isEmpty { divide(box) }
        let stride = max(1, hole.count / Self.maximum)
        var (inside, asked) = (0, 0)
        for index in Swift.stride(from: 0, to: hole.count, by: stride).prefix(Self.maximum) {
            let (a, b) = (hole[index], hole[(index + 1) % hole.count])
            asked += 1
            if contains(WorldPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2), in: box, &comparisons) { inside += 1 }
        }
        return 2 * inside > asked
    }

    private func contains(_ point: WorldPoint, in box: WorldBox, _ comparisons: inout Int) -> Bool {
        guard box.contains(point) else { return false }
        var isInside = false
        let steps = bands[band(point.y, box)]
        comparisons += steps.count
        for index in steps {
            let (before, next) = (ring[Int(index)], ring[(Int(index) + 1) % ring.count])
            guard (next.y > point.y) != (before.y > point.y) else { continue }
            let crossing = next.x + (point.y - next.y) / (before.y - next.y) * (before.x - next.x)
            if point.x < crossing { isInside.toggle() }
        }
        return isInside
    }

    private mutating func divide(_ box: WorldBox) {
        let ups = zip(ring, ring.dropFirst()).reduce(0) { $0 + abs($1.1.y - $1.0.y) }
        let height = max(box.south - box.north, .leastNonzeroMagnitude)
        let room = Double(ring.count) * Self.bandsPerStep / max(ups / height, 1)
        let count = min(ring.count / Self.stepsPerBand, Self.maximumBands, Int(min(room, Double(Self.maximumBands))))
        bands = Array(repeating: [], count: max(count, 1))
        for index in ring.indices {
            let (a, b) = (band(ring[index].y, box), band(ring[(index + 1) % ring.count].y, box))
            for band in min(a, b)...max(a, b) { bands[band].append(Int32(clamping: index)) }
        }
    }

    private func band(_ y: Double, _ box: WorldBox) -> Int {
        let share = (y - box.north) / max(box.south - box.north, .leastNonzeroMagnitude)
        return min(max(Int(share * Double(bands.count)), 0), bands.count - 1)
    }
}
