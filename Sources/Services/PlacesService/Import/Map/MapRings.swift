import VectorTiles

/// The edge of an area. A closed line may touch itself, as two holes with a node in common may have been joined; it is
/// divided into rings that don't, since in a tile each of them must turn as what it is.
struct MapRings {
    private(set) var outers: [[WorldPoint]] = []
    private(set) var holes: [[WorldPoint]] = []

    /// Adds an outer line.
    /// - Parameter points: where a ring's nodes are, without the last one; nil when one of them is not known.
    mutating func add(outer ids: [Int64], _ points: ([Int64]) -> [WorldPoint]?) {
        let rings = Self.simple(ids).compactMap(points)
        for (index, ring) in rings.enumerated() {
            let around = rings.indices.count { $0 != index && Self.contains(rings[$0], ring) }
            if around.isMultiple(of: 2) { outers.append(ring) } else { holes.append(ring) }
        }
    }

    /// Adds the line of a hole.
    mutating func add(hole ids: [Int64], _ points: ([Int64]) -> [WorldPoint]?) {
        holes += Self.simple(ids).compactMap(points)
    }

    var shape: TileShape { TileShape(.areas, Rings.nested(outers: outers, holes: holes)) }

    private static func contains(_ outer: [WorldPoint], _ ring: [WorldPoint]) -> Bool {
        var seeker = RingSeeker(outer)
        var comparisons = 0
        return seeker.contains(hole: ring, &comparisons)
    }

    private static func simple(_ ring: [Int64]) -> [[Int64]] {
        guard Set(ring).count < ring.count - 1 else { return [ring] }
        var rings: [[Int64]] = []
        var path: [Int64] = []
        var places: [Int64: Int] = [:]
        for id in ring {
            if let start = places[id] {
                rings.append(path[start...] + [id])
                for other in path[start...] { places[other] = nil }
                path.removeSubrange(start...)
            }
            places[id] = path.count
            path.append(id)
        }
        return rings.filter { $0.count > 3 }
    }
}
