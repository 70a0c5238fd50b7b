/// Cuts what is drawn to what can be seen: cairo counts in whole numbers, and a coast may go on for millions of points.
extension ScreenBox {
    private enum Side: CaseIterable { case left, top, right, bottom }

    /// A closed ring cut to the box, side by side (after Sutherland and Hodgman). What is inside of it stays so, and it
    /// runs in the same direction.
    func clipped(ring: [ScreenPoint]) -> [ScreenPoint] {
        if ring.allSatisfy(contains) { return ring }
        var points = ring
        for side in Side.allCases where !points.isEmpty { points = cut(points, side) }
        return points
    }

    /// The part of the line from `a` to `b` that is in the box (after Liang and Barsky); nil when none is.
    func clipped(from a: ScreenPoint, to b: ScreenPoint) -> (ScreenPoint, ScreenPoint)? {
        if contains(a), contains(b) { return (a, b) }
        let (across, down) = (b.x - a.x, b.y - a.y)
        var (begin, end) = (0.0, 1.0)
        for (change, room) in [
            (-across, a.x - left), (across, right - a.x), (-down, a.y - top), (down, bottom - a.y),
        ] {
            guard change != 0 else {
                if room < 0 { return nil }
                continue
            }
            if change < 0 { begin = max(begin, room / change) } else { end = min(end, room / change) }
        }
        guard begin <= end else { return nil }
        return (
            ScreenPoint(x: a.x + begin * across, y: a.y + begin * down),
            ScreenPoint(x: a.x + end * across, y: a.y + end * down)
        )
    }

    private func cut(_ points: [ScreenPoint], _ side: Side) -> [ScreenPoint] {
        var kept: [ScreenPoint] = []
        kept.reserveCapacity(points.count)
        guard var before = points.last else { return [] }
        for point in points {
            let isInside = inside(point, side)
            if isInside != inside(before, side) { kept.append(crossing(before, point, side)) }
            if isInside { kept.append(point) }
            before = point
        }
        return kept
    }

    private func inside(_ point: ScreenPoint, _ side: Side) -> Bool {
        switch side {
        case .left: point.x >= left
        case .top: point.y >= top
        case .right: point.x <= right
        case .bottom: point.y <= bottom
        }
    }

    /// Where the line between two points on different sides of an edge crosses it.
    private func crossing(_ a: ScreenPoint, _ b: ScreenPoint, _ side: Side) -> ScreenPoint {
        switch side {
        case .left: ScreenPoint(x: left, y: a.y + (left - a.x) / (b.x - a.x) * (b.y - a.y))
        case .right: ScreenPoint(x: right, y: a.y + (right - a.x) / (b.x - a.x) * (b.y - a.y))
        case .top: ScreenPoint(x: a.x + (top - a.y) / (b.y - a.y) * (b.x - a.x), y: top)
        case .bottom: ScreenPoint(x: a.x + (bottom - a.y) / (b.y - a.y) * (b.x - a.x), y: bottom)
        }
    }
}
