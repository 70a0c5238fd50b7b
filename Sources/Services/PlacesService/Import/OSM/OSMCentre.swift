import Glibc

/// Centres of lines and areas on the plane of latitude and longitude, which is good to centimetres at the size of a
/// block of houses. The plane ends at the antimeridian: what lies across it is turned to the middle, and its centre
/// back. `DataTools/osm_centre.py` does the same for the addresses of the bundled city.
enum OSMCentre {
    /// Degrees north and east.
    typealias Centre = (latitude: Double, longitude: Double)

    private static let unitsPerDegree = 1e7
    private static let halfTurn: Int32 = 1_800_000_000

    /// The centre of gravity of rings less that of holes; nil without a point.
    static func ofArea(_ outers: [[GridPoint]], holes: [[GridPoint]] = []) -> Centre? {
        guard crossesAntimeridian(outers.joined()) else { return planar(ofArea: outers, holes) }
        return planar(ofArea: outers.map(turned), holes.map(turned)).map(turned)
    }

    /// The point half way along a line; nil without a point.
    static func middle(ofLine points: [GridPoint]) -> Centre? {
        guard crossesAntimeridian(points) else { return planar(ofLine: points) }
        return planar(ofLine: turned(points)).map(turned)
    }

    /// Sums run relative to the first point.
    private static func planar(ofArea outers: [[GridPoint]], _ holes: [[GridPoint]]) -> Centre? {
        guard let origin = outers.first?.first else { return nil }
        var sum = Moments()
        for ring in outers { sum.add(Moments(ring, origin), sign: 1) }
        for ring in holes { sum.add(Moments(ring, origin), sign: -1) }
        guard sum.area > 0 else { return outers.first.flatMap { planar(ofLine: $0) } }
        return degrees(
            Double(origin.latitude) + sum.north / (3 * sum.area), Double(origin.longitude) + sum.east / (3 * sum.area))
    }

    /// The point at a share, 0 to 1, of a line's way; nil without a point, or when it crosses the antimeridian.
    static func point(_ share: Double, along points: [GridPoint]) -> GridPoint? {
        guard !crossesAntimeridian(points), let centre = planar(ofLine: points, at: share) else { return nil }
        return GridPoint(
            latitude: Int32(clamping: Int64((centre.latitude * unitsPerDegree).rounded())),
            longitude: Int32(clamping: Int64((centre.longitude * unitsPerDegree).rounded())))
    }

    private static func planar(ofLine points: [GridPoint], at share: Double = 0.5) -> Centre? {
        guard let first = points.first, let last = points.last else { return nil }
        let narrowing = cos(Double(first.latitude) / unitsPerDegree * .pi / 180)
        let steps = zip(points, points.dropFirst()).map { ($0, $1, length($0, $1, narrowing)) }
        var rest = steps.reduce(0) { $0 + $1.2 } * share
        for (a, b, length) in steps {
            if length > 0, rest <= length {
                let share = rest / length
                return degrees(
                    Double(a.latitude) + Double(Int64(b.latitude) - Int64(a.latitude)) * share,
                    Double(a.longitude) + Double(Int64(b.longitude) - Int64(a.longitude)) * share)
            }
            rest -= length
        }
        return degrees(Double(last.latitude), Double(last.longitude))
    }

    /// Lines put together at shared ends until they close. What does not close is given as far as it goes.
    static func joined(_ lines: [[Int64]]) -> [[Int64]] {
        var ends: [Int64: [Int]] = [:]
        for (index, line) in lines.enumerated().reversed() {
            for end in Set([line.first, line.last].compactMap(\.self)) { ends[end, default: []].append(index) }
        }
        var isUsed = lines.map(\.isEmpty)
        var rings: [[Int64]] = []
        for start in lines.indices where !isUsed[start] {
            isUsed[start] = true
            var ring = lines[start]
            while let end = ring.last, end != ring.first, let next = takeUnused(&ends[end, default: []], &isUsed) {
                let line = lines[next]
                ring += (line.first == end ? line : line.reversed()).dropFirst()
            }
            rings.append(ring)
        }
        return rings
    }

    private static func takeUnused(_ candidates: inout [Int], _ isUsed: inout [Bool]) -> Int? {
        while let candidate = candidates.popLast() {
            if isUsed[candidate] { continue }
            isUsed[candidate] = true
            return candidate
        }
        return nil
    }

    /// Whether points lie in one half of the Earth, but not on the plane. What is wider either way, as a country with
    /// isles in all oceans, is taken as it lies on the plane.
    private static func crossesAntimeridian(_ points: some Collection<GridPoint>) -> Bool {
        width(points) > Int64(halfTurn) && width(points.lazy.map { turned($0) }) <= Int64(halfTurn)
    }

    private static func width(_ points: some Collection<GridPoint>) -> Int64 {
        var (west, east) = (Int32.max, Int32.min)
        for point in points {
            west = min(west, point.longitude)
            east = max(east, point.longitude)
        }
        return Int64(east) - Int64(west)
    }

    /// The same half a turn farther: the antimeridian is the plane's middle then.
    private static func turned(_ points: [GridPoint]) -> [GridPoint] { points.map(turned) }

    private static func turned(_ point: GridPoint) -> GridPoint {
        let turn = point.longitude < 0 ? halfTurn : -halfTurn
        return GridPoint(latitude: point.latitude, longitude: point.longitude + turn)
    }

    private static func turned(_ centre: Centre) -> Centre {
        (centre.latitude, centre.longitude + (centre.longitude < 0 ? 180 : -180))
    }

    private static func length(_ a: GridPoint, _ b: GridPoint, _ narrowing: Double) -> Double {
        let north = Double(Int64(b.latitude) - Int64(a.latitude))
        let east = Double(Int64(b.longitude) - Int64(a.longitude))
        return hypot(north, east * narrowing)
    }

    private static func degrees(_ latitude: Double, _ longitude: Double) -> Centre {
        (latitude / unitsPerDegree, longitude / unitsPerDegree)
    }
}

/// Twice the area and six times the first moments of a ring, whichever way it turns.
private struct Moments {
    var area = 0.0
    var east = 0.0
    var north = 0.0

    init() {}

    init(_ ring: [GridPoint], _ origin: GridPoint) {
        let points = ring.map {
            (
                x: Double(Int64($0.longitude) - Int64(origin.longitude)),
                y: Double(Int64($0.latitude) - Int64(origin.latitude))
            )
        }
        guard var last = points.last else { return }
        for point in points {
            let cross = last.x * point.y - point.x * last.y
            area += cross
            east += (last.x + point.x) * cross
            north += (last.y + point.y) * cross
            last = point
        }
        if area < 0 { (area, east, north) = (-area, -east, -north) }
    }

    mutating func add(_ other: Moments, sign: Double) {
        area += sign * other.area
        east += sign * other.east
        north += sign * other.north
    }
}
