/// Cuts lines and areas to a box.
package enum Clipping {
    /// The parts of a line that are in the box, each from where it comes in to where it goes out (Liang and Barsky).
    package static func lines(of line: [WorldPoint], in box: WorldBox) -> [[WorldPoint]] {
        var parts: [[WorldPoint]] = []
        var part: [WorldPoint] = []
        for (a, b) in zip(line, line.dropFirst()) {
            guard let (start, end) = piece(from: a, to: b, in: box) else {
                finish(&part, &parts)
                continue
            }
            if part.last != start {
                finish(&part, &parts)
                part = [start]
            }
            part.append(end)
            if end != b { finish(&part, &parts) }
        }
        finish(&part, &parts)
        return parts
    }

    /// A ring cut to the box side by side (Sutherland and Hodgman). Its parts stay one ring, joined along the edge.
    package static func ring(_ ring: [WorldPoint], in box: WorldBox) -> [WorldPoint] {
        var points = cut(ring, at: box.west, \.x, keepsGreater: true)
        points = cut(points, at: box.east, \.x, keepsGreater: false)
        points = cut(points, at: box.north, \.y, keepsGreater: true)
        return cut(points, at: box.south, \.y, keepsGreater: false)
    }

    private static func finish(_ part: inout [WorldPoint], _ parts: inout [[WorldPoint]]) {
        if part.count > 1 { parts.append(part) }
        part = []
    }

    private static func piece(
        from a: WorldPoint, to b: WorldPoint, in box: WorldBox
    ) -> (WorldPoint, WorldPoint)? {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        var (first, last) = (0.0, 1.0)
        for (step, room) in [
            (-dx, a.x - box.west), (dx, box.east - a.x), (-dy, a.y - box.north), (dy, box.south - a.y),
        ] {
            if step == 0 {
                if room < 0 { return nil }
                continue
            }
            let share = room / step
            if step < 0 { first = max(first, share) } else { last = min(last, share) }
            if first > last { return nil }
        }
        let start = first == 0 ? a : WorldPoint(x: a.x + first * dx, y: a.y + first * dy)
        let end = last == 1 ? b : WorldPoint(x: a.x + last * dx, y: a.y + last * dy)
        return (start, end)
    }

    private static func cut(
        _ ring: [WorldPoint], at limit: Double, _ axis: WritableKeyPath<WorldPoint, Double>, keepsGreater: Bool
    ) -> [WorldPoint] {
        guard var before = ring.last else { return [] }
        var kept: [WorldPoint] = []
        kept.reserveCapacity(ring.count)
        var wasInside = keepsGreater ? before[keyPath: axis] >= limit : before[keyPath: axis] <= limit
        for point in ring {
            let isInside = keepsGreater ? point[keyPath: axis] >= limit : point[keyPath: axis] <= limit
            if isInside != wasInside {
                let share = (limit - before[keyPath: axis]) / (point[keyPath: axis] - before[keyPath: axis])
                var crossing = WorldPoint(
                    x: before.x + share * (point.x - before.x), y: before.y + share * (point.y - before.y))
                crossing[keyPath: axis] = limit
                kept.append(crossing)
            }
            if isInside { kept.append(point) }
            (before, wasInside) = (point, isInside)
        }
        return kept
    }
}
