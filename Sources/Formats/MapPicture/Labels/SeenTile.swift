/// A tile in a picture, and where it is seen: where it has data, and no map above has some.
struct SeenTile {
    let named: [String: [MapShape]]
    private let own: Sight
    private let above: [Sight]

    /// What a tile has data of, in points of the picture.
    private struct Sight {
        let edge: ScreenBox
        let rings: [[ScreenPoint]]

        init?(_ tile: TileMap.Tile, _ tracer: Tracer) {
            guard let edge = ScreenBox(around: tile.corners.map(tracer.projection.point)) else { return nil }
            self.edge = edge
            rings = tile.cover.flatMap(\.rings).map(tracer.ring)
        }

        func contains(_ point: ScreenPoint) -> Bool {
            guard edge.contains(point) else { return false }
            return rings.reduce(false) { $0 != Self.surrounds($1, point) }
        }

        /// A line to the right crosses the ring an odd number of times.
        private static func surrounds(_ ring: [ScreenPoint], _ point: ScreenPoint) -> Bool {
            guard var before = ring.last else { return false }
            var isIn = false
            for next in ring {
                if (before.y > point.y) != (next.y > point.y),
                    before.x + (point.y - before.y) / (next.y - before.y) * (next.x - before.x) > point.x
                {
                    isIn.toggle()
                }
                before = next
            }
            return isIn
        }
    }

    private init(_ named: [String: [MapShape]], _ own: Sight, above: [Sight]) {
        (self.named, self.own, self.above) = (named, own, above)
    }

    /// Those of maps that are given from below; those of the maps above come first.
    static func all(of maps: [TileMap], _ tracer: Tracer) -> [SeenTile] {
        var (found, above): ([SeenTile], [Sight]) = ([], [])
        for map in maps.reversed() {
            let sights = map.tiles.compactMap { tile in Sight(tile, tracer).map { (tile.named, $0) } }
            found += sights.map { SeenTile($0.0, $0.1, above: above) }
            above += sights.map(\.1)
        }
        return found
    }

    func isSeen(_ point: ScreenPoint) -> Bool {
        own.contains(point) && !above.contains { $0.contains(point) }
    }

    /// Whether it is there, seen or not.
    func isThere(_ point: ScreenPoint) -> Bool { own.contains(point) }
}
