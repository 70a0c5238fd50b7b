/// Lines of a picture that are drawn together.
struct TracedPath {
    private(set) var lines: [[ScreenPoint]] = []
    let isClosed: Bool

    var isEmpty: Bool { lines.isEmpty }

    /// The rings of areas.
    init(areas: [MapShape], _ tracer: Tracer) {
        isClosed = true
        for shape in areas where shape.isArea {
            for ring in shape.rings {
                let ring = tracer.ring(ring)
                if ring.count > 1 { lines.append(ring) }
            }
        }
    }

    /// The edges of water, without those that only a tile's cut has made: they lie on its edge, or outside of it.
    init(shores areas: [MapShape], _ tracer: Tracer, _ tile: TileMap.Tile) {
        isClosed = false
        let edge = tile.edge
        for ring in areas.flatMap(\.rings) {
            var part: [MapPoint] = []
            for (a, b) in zip(ring, ring.dropFirst()) {
                if edge.isOutside(a, b) {
                    lines += tracer.parts(part)
                    part = []
                } else {
                    if part.isEmpty { part.append(a) }
                    part.append(b)
                }
            }
            lines += tracer.parts(part)
        }
    }

    /// Lines, and the edges of areas.
    init(lines shapes: [MapShape], _ tracer: Tracer) {
        isClosed = false
        for shape in shapes { for line in shape.rings { lines += tracer.parts(line) } }
    }
}

extension MapBox {
    /// Whether a line lies on one side of the box, or along an edge of it.
    fileprivate func isOutside(_ a: MapPoint, _ b: MapPoint) -> Bool {
        max(a.longitude, b.longitude) <= west || min(a.longitude, b.longitude) >= east
            || max(a.latitude, b.latitude) <= south || min(a.latitude, b.latitude) >= north
    }
}
