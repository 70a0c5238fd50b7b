/// Makes areas of sea of lines of coast, which have the land on their left and the water on their right, as
/// OpenStreetMap has them.
///
/// An extract cuts the coast where it ends. There a line is led on straight to the edge of the box, the shortest way if
/// that is near, or else in the direction that the coast has by and large; and the water is closed along the edge: from
/// where a coast leaves the box clockwise to where the next one comes in.
package struct Coast {
    /// How far back one looks for the direction of a coast, as a share of the box.
    private static let glance = 0.02
    /// How far away the edge is near, likewise.
    private static let near = 0.1

    private let box: WorldBox
    private let beyond: Double
    /// From one edge to another one.
    private var crossings: [[WorldPoint]] = []
    private var islands: [[WorldPoint]] = []
    private var basins: [[WorldPoint]] = []

    /// - Parameter beyond: how far from the box's edge away the water goes on, in widths of the world, so that its
    ///   straight end is not on the edge.
    package init(in box: WorldBox, ledOnBy beyond: Double = 0) {
        self.box = box
        self.beyond = beyond
    }

    /// Takes a line of coast as long as it goes; a closed one ends with its first point.
    package mutating func add(_ line: [WorldPoint]) {
        guard line.count > 1 else { return }
        let isClosed = line.first == line.last
        if isClosed, line.allSatisfy(box.contains) {
            let ring = Array(line.dropLast())
            if Rings.area(ring) < 0 { islands.append(ring) } else { basins.append(ring) }
            return
        }
        var parts = Clipping.lines(of: line, in: box)
        if isClosed, parts.count > 1, let first = parts.first, let last = parts.last, last.last == first.first {
            parts[0] = last + first.dropFirst()
            parts.removeLast()
        }
        crossings += parts.map { part in
            [exit(of: part.reversed())] + part + [exit(of: part)]
        }
    }

    /// The rings of the sea, each outer one before the islands in it. Empty without a coast.
    package consuming func sea() -> [[WorldPoint]] {
        var outers = closed() + basins
        if outers.isEmpty, !islands.isEmpty { outers = [corners] }
        return Rings.nested(outers: outers.map { $0.map(ledOn) }, holes: islands)
    }

    /// A point of the edge, farther out.
    private func ledOn(_ point: WorldPoint) -> WorldPoint {
        var point = point
        if point.x == box.west { point.x -= beyond } else if point.x == box.east { point.x += beyond }
        if point.y == box.north { point.y -= beyond } else if point.y == box.south { point.y += beyond }
        return point
    }

    /// Where a line that ends in the box would leave it.
    private func exit(of line: [WorldPoint]) -> WorldPoint {
        guard let end = line.last else { return corners[0] }
        let reach = Self.glance * max(box.east - box.west, box.south - box.north)
        func distance(_ point: WorldPoint) -> Double { max(abs(point.x - end.x), abs(point.y - end.y)) }
        let before = line.last { distance($0) > reach } ?? line[0]
        let length = distance(before)
        let nearest = edge(nearestTo: end).point
        guard length > 0, distance(nearest) > reach / Self.glance * Self.near else { return nearest }
        let steps = ((box.east - box.west) + (box.south - box.north)) / length
        let far = WorldPoint(x: end.x + (end.x - before.x) * steps, y: end.y + (end.y - before.y) * steps)
        return Clipping.lines(of: [end, far], in: box).first?.last ?? nearest
    }

    /// The crossings put together along the edge.
    private func closed() -> [[WorldPoint]] {
        let starts = crossings.enumerated()
            .map { (place: edge(nearestTo: $1.first).place, index: $0) }.sorted { $0.place < $1.place }
        var isUsed = crossings.map { _ in false }
        var rings: [[WorldPoint]] = []
        for first in crossings.indices where !isUsed[first] {
            var ring: [WorldPoint] = []
            var next = first
            repeat {
                isUsed[next] = true
                ring += crossings[next]
                let from = edge(nearestTo: crossings[next].last).place
                var (low, high) = (0, starts.count)
                while low < high {
                    let middle = (low + high) / 2
                    if starts[middle].place < from { low = middle + 1 } else { high = middle }
                }
                let target = starts[low % starts.count]
                ring += corners(from: from, to: target.place)
                next = target.index
            } while !isUsed[next]
            rings.append(ring)
        }
        return rings
    }

    /// Clockwise from the north-west, in the order in which places on the edge are counted: 0 to 4, a side each.
    private var corners: [WorldPoint] {
        [
            WorldPoint(x: box.west, y: box.north), WorldPoint(x: box.east, y: box.north),
            WorldPoint(x: box.east, y: box.south), WorldPoint(x: box.west, y: box.south),
        ]
    }

    private func corners(from: Double, to: Double) -> [WorldPoint] {
        let end = to < from ? to + 4 : to
        return (1...8).filter { Double($0) > from && Double($0) < end }.map { corners[$0 % 4] }
    }

    /// The nearest point of the edge, and its place on it.
    private func edge(nearestTo point: WorldPoint?) -> (point: WorldPoint, place: Double) {
        guard let point else { return (corners[0], 0) }
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
}
