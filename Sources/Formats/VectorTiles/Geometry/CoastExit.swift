import Glibc

/// Where a coast that ends within a box goes on to the box's edge is not known, so it should disturb least. It crosses
/// no other coast and no other way out, runs where there is no data, and takes a short way, rather straight on than
/// back.
struct CoastExit {
    /// Directions that are looked at.
    private static let directions = 128
    /// How bad it is to run where there is data, and to turn around, beside being as long as the box is wide.
    private static let costs = (data: 4.0, turn: 0.25)
    /// Steps of coasts that are compared, for all ends together; then coasts are not looked at any more.
    private static let maximumComparisons = 100_000_000

    private let box: WorldBox
    private let hasData: (WorldPoint) -> Bool
    private var comparisons = 0
    /// What was found for other ends.
    var others: [[WorldPoint]] = []

    init(_ box: WorldBox, hasData: @escaping (WorldPoint) -> Bool) {
        self.box = box
        self.hasData = hasData
    }

    /// A point of the edge for the end of a line, and how far it is to there where there is data; nil when each way
    /// there crosses something.
    /// - Parameters:
    ///   - before: a point of the line, some way back.
    ///   - coasts: all lines within the box.
    mutating func point(
        from end: WorldPoint, comingFrom before: WorldPoint, among coasts: [[WorldPoint]]
    ) -> (point: WorldPoint, known: Double)? {
        var crossings = Array(repeating: 0, count: Self.directions)
        count(&crossings, from: end, others)
        count(&crossings, from: end, coasts)
        let straight = atan2(end.y - before.y, end.x - before.x)
        let size = max(box.east - box.west, box.south - box.north)
        var best = (point: end, known: 0.0, cost: Double.infinity)
        for (index, count) in crossings.enumerated() where count == 0 {
            let angle = Self.angle(index)
            let point = edge(from: end, angle)
            // What reaches the antimeridian was cut exactly there.
            guard point.x > 0, point.x < 1 else { continue }
            let length = hypot(point.x - end.x, point.y - end.y) / size
            let turn = abs(remainder(angle - straight, 2 * .pi)) / .pi
            let share = share(from: end, to: point)
            let cost = length * (1 + share * Self.costs.data) + turn * Self.costs.turn
            if cost < best.cost { best = (point, share * length * size, cost) }
        }
        guard best.cost < .infinity else { return nil }
        others.append([end, best.point])
        return (best.point, best.known)
    }

    private static func angle(_ index: Int) -> Double { (Double(index) + 0.5) * 2 * .pi / Double(directions) - .pi }

    /// Counts how often a ray in each direction crosses a line.
    private mutating func count(_ counts: inout [Int], from end: WorldPoint, _ lines: [[WorldPoint]]) {
        for line in lines {
            guard comparisons < Self.maximumComparisons else { return }
            comparisons += line.count
            var before: Double?
            for point in line {
                let angle = point == end ? nil : atan2(point.y - end.y, point.x - end.x)
                if let before, let angle { Self.count(&counts, before, angle) }
                before = angle
            }
        }
    }

    /// Counts the directions between two.
    private static func count(_ counts: inout [Int], _ a: Double, _ b: Double) {
        let turn = remainder(b - a, 2 * .pi)
        let (first, last) = turn < 0 ? (a + turn, a) : (a, a + turn)
        func place(_ angle: Double) -> Int { Int(((angle + .pi) / (2 * .pi) * Double(directions) - 0.5).rounded(.up)) }
        for index in place(first)..<place(last) { counts[(index + directions) % directions] += 1 }
    }

    private func edge(from end: WorldPoint, _ angle: Double) -> WorldPoint {
        let (dx, dy) = (cos(angle), sin(angle))
        let across = ((dx > 0 ? box.east : box.west) - end.x) / dx
        let down = ((dy > 0 ? box.south : box.north) - end.y) / dy
        if across < down { return WorldPoint(x: dx > 0 ? box.east : box.west, y: end.y + across * dy) }
        return WorldPoint(x: end.x + down * dx, y: dy > 0 ? box.south : box.north)
    }

    /// How much of a line lies where there is data.
    private func share(from a: WorldPoint, to b: WorldPoint) -> Double {
        let steps = 64
        let count = (1...steps).count { step in
            let share = Double(step) / Double(steps)
            return hasData(WorldPoint(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
        }
        return Double(count) / Double(steps)
    }
}
