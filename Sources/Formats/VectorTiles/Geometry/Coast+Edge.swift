/// What coasts make of the edge of the box.
extension Coast {
    /// How often coasts are looked through for such that contradict each other.
    private static let maximumLooks = 100

    private struct Mark {
        let place: Double
        let line: Int
        let isExit: Bool
    }

    /// Where lines go out and come in, clockwise.
    private func marks(_ lines: [[WorldPoint]]) -> [Mark] {
        lines.enumerated().flatMap { index, line in
            [
                Mark(place: edge(nearestTo: line[0]).place, line: index, isExit: false),
                Mark(place: edge(nearestTo: line[line.count - 1]).place, line: index, isExit: true),
            ]
        }.sorted { ($0.place, $0.isExit ? 0 : 1) < ($1.place, $1.isExit ? 0 : 1) }
    }

    /// Without lines that contradict longer ones; none when that does not come to an end.
    func agreeing(_ lines: [[WorldPoint]], _ lengths: [Double]) -> [[WorldPoint]] {
        var marks = marks(lines)
        for _ in 0..<Self.maximumLooks {
            var wrong: Set<Int> = []
            for (mark, next) in zip(marks, marks.dropFirst() + marks.prefix(1))
            where mark.isExit == next.isExit && !wrong.contains(mark.line) && !wrong.contains(next.line) {
                wrong.insert(lengths[mark.line] < lengths[next.line] ? mark.line : next.line)
            }
            if wrong.isEmpty { return Set(marks.map(\.line)).sorted().map { lines[$0] } }
            marks.removeAll { wrong.contains($0.line) }
        }
        return []
    }

    /// Lines from edge to edge put together along it.
    func closed(_ lines: [[WorldPoint]]) -> [[WorldPoint]] {
        let marks = marks(lines)
        var following = lines.map { _ in (line: 0, from: 0.0, to: 0.0) }
        for (mark, next) in zip(marks, marks.dropFirst() + marks.prefix(1)) where mark.isExit {
            following[mark.line] = (next.line, mark.place, next.place)
        }
        var isUsed = lines.map { _ in false }
        var rings: [[WorldPoint]] = []
        for first in lines.indices where !isUsed[first] {
            var ring: [WorldPoint] = []
            var next = first
            while !isUsed[next] {
                isUsed[next] = true
                let line = lines[next]
                ring += [ledOn(line[0])] + line + [ledOn(line[line.count - 1])]
                ring += corners(from: following[next].from, to: following[next].to)
                next = following[next].line
            }
            rings.append(ring)
        }
        return rings
    }

    /// Clockwise from the north-west, in the order in which places on the edge are counted: 0 to 4, a side each; as far
    /// out as the water goes on.
    var corners: [WorldPoint] {
        let box = box.grown(by: beyond)
        return [
            WorldPoint(x: box.west, y: box.north), WorldPoint(x: box.east, y: box.north),
            WorldPoint(x: box.east, y: box.south), WorldPoint(x: box.west, y: box.south),
        ]
    }

    private func corners(from: Double, to: Double) -> [WorldPoint] {
        let end = to < from ? to + 4 : to
        return (1...8).filter { Double($0) > from && Double($0) < end }.map { corners[$0 % 4] }
    }

    /// The nearest point of the edge, and its place on it.
    func edge(nearestTo point: WorldPoint) -> (point: WorldPoint, place: Double) {
        let x = min(max(point.x, box.west), box.east)
        let y = min(max(point.y, box.north), box.south)
        let (across, down) = ((x - box.west) / (box.east - box.west), (y - box.north) / (box.south - box.north))
        let sides = [
            (y - box.north, WorldPoint(x: x, y: box.north), across),
            (box.east - x, WorldPoint(x: box.east, y: y), 1 + down),
            (box.south - y, WorldPoint(x: x, y: box.south), 3 - across),
            (x - box.west, WorldPoint(x: box.west, y: y), 4 - down),
        ]
        let nearest = sides.min { $0.0 < $1.0 } ?? sides[0]
        return (nearest.1, nearest.2)
    }

    /// A point of the edge, farther out.
    func ledOn(_ point: WorldPoint) -> WorldPoint {
        var point = point
        switch edge(nearestTo: point).place {
        case ..<1: point.y -= beyond
        case ..<2: point.x += beyond
        case ..<3: point.y += beyond
        default: point.x -= beyond
        }
        return point
    }
}
