/// Rings on the Earth as rings on the plane of latitude and longitude, which ends at the antimeridian.
package enum AreaRing {
    private static let turn: Int64 = 3_600_000_000
    private static let halfTurn: Int64 = 1_800_000_000
    private static let pole: Int64 = 900_000_000

    private typealias Wide = (latitude: Int64, longitude: Int64)

    /// The rings of the plane that a ring of the Earth is: one, or more when it crosses the antimeridian. Steps go the
    /// shorter way around the Earth. What goes around the Earth holds the pole that it is nearer to. The first point
    /// is repeated at the end of each.
    /// - Parameter points: the ring, with its first point repeated or not.
    /// - Returns: nothing for what has no three points on Earth.
    package static func planar(_ points: [AreaPoint]) -> [[AreaPoint]] {
        var points = points
        if points.count > 1, points.first == points.last { points.removeLast() }
        guard points.count >= 3, points.allSatisfy(\.isOnEarth) else { return [] }
        if !crosses(points) { return [points + points.prefix(1)] }
        return cut(unrolled(points))
    }

    /// A line as lines of the plane; a step across the antimeridian is left out.
    package static func planar(line points: [AreaPoint]) -> [[AreaPoint]] {
        guard points.allSatisfy(\.isOnEarth) else { return [] }
        var lines: [[AreaPoint]] = [[]]
        for point in points {
            if let last = lines.last?.last, isFar(last, point) { lines.append([]) }
            lines[lines.count - 1].append(point)
        }
        return lines.filter { $0.count > 1 }
    }

    /// Whether a ring goes around the Earth, so that a pole is in it.
    package static func isAroundTheEarth(_ points: [AreaPoint]) -> Bool {
        guard var before = points.last else { return false }
        var turns: Int64 = 0
        for point in points {
            turns += jump(before, point)
            before = point
        }
        return turns != 0
    }

    /// Whether a point is in a ring, on the edge or not as it comes; for a few points of a ring that nothing indexes.
    package static func holds(_ ring: [AreaPoint], _ point: AreaPoint) -> Bool {
        planar(ring).reduce(false) { isInside, part in
            var isInside = isInside
            for (from, to) in zip(part, part.dropFirst())
            where (from.latitude > point.latitude) != (to.latitude > point.latitude) {
                let share =
                    (Double(point.latitude) - Double(from.latitude)) / (Double(to.latitude) - Double(from.latitude))
                let crossing = Double(from.longitude) + share * (Double(to.longitude) - Double(from.longitude))
                if Double(point.longitude) < crossing { isInside.toggle() }
            }
            return isInside
        }
    }

    private static func isFar(_ a: AreaPoint, _ b: AreaPoint) -> Bool {
        (Int64(a.longitude) - Int64(b.longitude)).magnitude > UInt64(halfTurn)
    }

    private static func crosses(_ points: [AreaPoint]) -> Bool {
        guard var before = points.last else { return false }
        for point in points {
            if isFar(before, point) { return true }
            before = point
        }
        return false
    }

    /// Without jumps, led over a pole when it goes around the Earth.
    private static func unrolled(_ points: [AreaPoint]) -> [Wide] {
        var wide: [Wide] = []
        var offset: Int64 = 0
        for (index, point) in points.enumerated() {
            if index > 0 { offset += jump(points[index - 1], point) }
            wide.append((Int64(point.latitude), Int64(point.longitude) + offset))
        }
        guard let first = wide.first, let last = points.last else { return [] }
        let end = first.longitude + offset + jump(last, points[0])
        if end != first.longitude {
            let mean = wide.reduce(0) { $0 + $1.latitude } / Int64(wide.count)
            let nearest = mean < 0 ? -pole : pole
            wide += [(first.latitude, end), (nearest, end), (nearest, first.longitude)]
        }
        return wide
    }

    private static func jump(_ a: AreaPoint, _ b: AreaPoint) -> Int64 {
        guard isFar(a, b) else { return 0 }
        return a.longitude > b.longitude ? turn : -turn
    }

    /// The parts between one antimeridian and the next, each turned back to the plane.
    private static func cut(_ ring: [Wide]) -> [[AreaPoint]] {
        guard let west = ring.map(\.longitude).min(), let east = ring.map(\.longitude).max() else { return [] }
        var parts: [[AreaPoint]] = []
        // A ring that goes around the Earth again and again is none.
        let first = floor(west + halfTurn)
        guard floor(east + halfTurn) - first <= 3 else { return [] }
        for number in first...floor(east + halfTurn) {
            let middle = number * turn
            let inner = kept(kept(ring, from: middle - halfTurn, isEast: true), from: middle + halfTurn, isEast: false)
            let part = inner.map {
                AreaPoint(latitude: Int32(clamping: $0.latitude), longitude: Int32(clamping: $0.longitude - middle))
            }
            if part.count >= 3, AreaBox(part).size > 0 { parts.append(part + part.prefix(1)) }
        }
        return parts
    }

    private static func floor(_ longitude: Int64) -> Int64 {
        longitude / turn - (longitude % turn < 0 ? 1 : 0)
    }

    /// What lies on one side of a meridian; along it run the steps that close it.
    private static func kept(_ ring: [Wide], from meridian: Int64, isEast: Bool) -> [Wide] {
        guard var before = ring.last else { return [] }
        var part: [Wide] = []
        func isIn(_ point: Wide) -> Bool { isEast ? point.longitude >= meridian : point.longitude <= meridian }
        for point in ring {
            if isIn(point) != isIn(before) {
                let share = Double(meridian - before.longitude) / Double(point.longitude - before.longitude)
                let latitude = Double(before.latitude) + share * Double(point.latitude - before.latitude)
                part.append((Int64(latitude.rounded()), meridian))
            }
            if isIn(point) { part.append(point) }
            before = point
        }
        return part
    }
}
