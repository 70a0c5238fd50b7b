import Geo

/// The edges of an area, made of the ways that a relation says they are made of, as far as they make rings. A relation
/// may be wrong: ways are missing, there twice, lead nowhere, or have the wrong role.
///
/// A point lies in an area when it lies in an odd number of rings, so it is no matter which of them are holes.
struct AreaEdges {
    /// Ends of an open line that are so near each other, in its length, are joined: one step is missing.
    private static let smallGap = 0.01
    /// Steps of outer edges that holes are looked for in, some seconds' worth; holes beyond are left out.
    private static let mostSteps = 1 << 29

    private(set) var rings: [[AreaPoint]] = []
    /// Whether some of the ways make no ring.
    private(set) var isBroken = false

    /// - Parameters:
    ///   - outers: ways of the outer edges, by their nodes.
    ///   - inners: those of holes.
    ///   - point: where a node is; nil for one that the file does not have.
    init(outers: [[Int64]], inners: [[Int64]], _ point: (Int64) -> GridPoint?) {
        for line in Self.lines(outers) { add(line, point) }
        let outer = rings.map { (corners: Set($0), ring: $0) }
        var left = Self.mostSteps
        for line in Self.lines(inners) {
            guard let ring = Self.ring(line, point) else { continue }
            left -= outer.reduce(0) { $0 + $1.ring.count }
            guard left >= 0 else {
                isBroken = true
                return
            }
            // A hole without its area would be taken for it.
            if outer.contains(where: { Self.holds($0.ring, $0.corners, ring) }) { rings.append(ring) }
        }
    }

    private mutating func add(_ line: [Int64], _ point: (Int64) -> GridPoint?) {
        if let ring = Self.ring(line, point) { rings.append(ring) } else { isBroken = true }
    }

    /// Lines joined at their ends. What is there twice counts once, and what leads nowhere is left out where rings
    /// remain without it.
    private static func lines(_ ways: [[Int64]]) -> [[Int64]] {
        var known: Set<[Int64]> = []
        let single = ways.filter { $0.count > 1 && !known.contains($0.reversed()) && known.insert($0).inserted }
        let whole = withoutSpurs(single)
        let lines = whole.isEmpty ? single : whole
        let joined = OSMCentre.joined(lines)
        if joined.allSatisfy({ $0.first == $0.last }) { return joined }
        // Another order may close more of them.
        let other = OSMCentre.joined(lines.reversed())
        return closedCount(other) > closedCount(joined) ? other : joined
    }

    private static func closedCount(_ lines: [[Int64]]) -> Int {
        lines.reduce(0) { $0 + ($1.first == $1.last ? $1.count : 0) }
    }

    /// Without ways that have an end at which no other one begins, and those that end where these did.
    private static func withoutSpurs(_ ways: [[Int64]]) -> [[Int64]] {
        var degrees: [Int64: Int] = [:]
        var waysOf: [Int64: [Int]] = [:]
        for (index, way) in ways.enumerated() where way.first != way.last {
            for end in [way.first, way.last].compactMap(\.self) {
                degrees[end, default: 0] += 1
                waysOf[end, default: []].append(index)
            }
        }
        var isLeft = ways.map { _ in false }
        var ends = degrees.filter { $0.value == 1 }.map(\.key)
        while let end = ends.popLast() {
            for index in waysOf[end] ?? [] where !isLeft[index] {
                isLeft[index] = true
                for other in [ways[index].first, ways[index].last].compactMap(\.self) where other != end {
                    degrees[other, default: 1] -= 1
                    if degrees[other] == 1 { ends.append(other) }
                }
            }
        }
        return zip(ways, isLeft).filter { !$0.1 }.map(\.0)
    }

    /// Nil for a line that is open, or of which the file does not have all nodes.
    private static func ring(_ line: [Int64], _ point: (Int64) -> GridPoint?) -> [AreaPoint]? {
        let points = line.compactMap(point).map { AreaPoint(latitude: $0.latitude, longitude: $0.longitude) }
        guard points.count == line.count, points.count > 3, let first = points.first, let last = points.last else {
            return nil
        }
        if line.first != line.last {
            let length = zip(points, points.dropFirst()).reduce(0.0) { $0 + apart($1.0, $1.1) }
            guard apart(first, last) <= length * smallGap else { return nil }
        }
        return isAround(points) ? nil : points
    }

    /// Whether a ring goes around the Earth far from a pole, which no area does.
    private static func isAround(_ points: [AreaPoint]) -> Bool {
        let farthest: Int32 = 550_000_000
        guard points.contains(where: { $0.latitude.magnitude < farthest.magnitude }) else { return false }
        return AreaRing.isAroundTheEarth(points)
    }

    private static func apart(_ a: AreaPoint, _ b: AreaPoint) -> Double {
        let (x, y) = (Double(a.longitude) - Double(b.longitude), Double(a.latitude) - Double(b.latitude))
        return (x * x + y * y).squareRoot()
    }

    /// Whether a point of the inner ring that is none of the outer one's lies in it.
    private static func holds(_ outer: [AreaPoint], _ corners: Set<AreaPoint>, _ inner: [AreaPoint]) -> Bool {
        let point = inner.first { !corners.contains($0) } ?? inner.first
        return point.map { AreaRing.holds(outer, $0) } ?? false
    }
}
