/// Leaves out points of lines that hardly change their shape (Douglas and Peucker, 1973).
package enum Simplification {
    /// Points that are looked at together. Those at their ends stay, so that the time for a malicious line grows with
    /// its length only.
    private static let maximum = 1024

    /// - Parameter tolerance: how far from its place the line may come to lie.
    package static func simplified(_ line: [WorldPoint], tolerance: Double) -> [WorldPoint] {
        guard line.count > 2, tolerance > 0 else { return line }
        var isKept = [Bool](repeating: false, count: line.count)
        var start = 0
        while start < line.count - 1 {
            let end = min(start + maximum, line.count - 1)
            isKept[start] = true
            isKept[end] = true
            keep(in: line, from: start, to: end, tolerance * tolerance, &isKept)
            start = end
        }
        return zip(line, isKept).compactMap { $1 ? $0 : nil }
    }

    /// The same of a ring, whose first point is not repeated at its end.
    package static func simplified(ring: [WorldPoint], tolerance: Double) -> [WorldPoint] {
        guard let first = ring.first else { return ring }
        return simplified(ring + [first], tolerance: tolerance).dropLast()
    }

    private static func keep(
        in line: [WorldPoint], from start: Int, to end: Int, _ squaredTolerance: Double, _ isKept: inout [Bool]
    ) {
        var open = [(start, end)]
        while let (start, end) = open.popLast() {
            var farthest = (index: 0, distance: squaredTolerance)
            for index in stride(from: start + 1, to: end, by: 1) {
                let distance = squaredDistance(of: line[index], from: line[start], line[end])
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index > 0 else { continue }
            isKept[farthest.index] = true
            open.append((start, farthest.index))
            open.append((farthest.index, end))
        }
    }

    /// From a point to the line between two others.
    private static func squaredDistance(of point: WorldPoint, from a: WorldPoint, _ b: WorldPoint) -> Double {
        var (x, y) = (a.x, a.y)
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        if length > 0 {
            let share = min(max(((point.x - x) * dx + (point.y - y) * dy) / length, 0), 1)
            x += dx * share
            y += dy * share
        }
        return (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y)
    }
}
