/// The map of a dataset, tile by tile, over the world's coarse lines. Where its data ends, it fades out.
struct TileLayer {
    /// Width of the fading edge, in points.
    private static let fade = 12.0

    let tracer: Tracer
    let map: TileMap
    let styles: MapStyles

    func draw(_ pen: Pen) {
        guard !map.tiles.isEmpty else { return }
        if map.covers(tracer.projection.box(margin: 0)) { return drawTiles(pen) }
        pen.within(tracer.projection.frame, reach: Self.fade, mask: cover) { drawTiles(pen) }
    }

    /// What a tile has continues beyond its edge, so that no line is drawn where it is cut.
    private func drawTiles(_ pen: Pen) {
        for tile in map.tiles {
            pen.add(tracer.ring(tile.corners), isClosed: true)
            pen.withinPixels {
                pen.cover(Palette.land)
                CityLayer(tracer: tracer, tile: tile, styles: styles).draw(pen)
            }
        }
    }

    private func cover(_ pen: Pen) {
        for shape in map.tiles.flatMap(\.cover) {
            for ring in shape.rings { pen.add(tracer.ring(ring), isClosed: true) }
        }
        pen.fill(Palette.paper)
        pen.forgetPath()
    }
}

extension TileMap {
    /// Whether it has data wherever a view is: in all of each tile, and in tiles side by side.
    fileprivate func covers(_ view: MapBox) -> Bool {
        guard tiles.allSatisfy(\.isFull) else { return false }
        let seen = tiles.map { $0.edge.common(with: view) }.reduce(0) { $0 + $1 }
        return seen > 0.9999 * (view.east - view.west) * (view.north - view.south)
    }
}

extension TileMap.Tile {
    /// Where it is.
    var edge: MapBox { MapBox(around: corners) ?? .world }

    /// Whether one square of its data has all of it.
    fileprivate var isFull: Bool {
        cover.contains { shape in
            shape.rings.count == 1 && shape.rings[0].count == 5 && shape.box.west <= edge.west
                && shape.box.south <= edge.south && shape.box.east >= edge.east && shape.box.north >= edge.north
        }
    }
}

extension MapBox {
    /// How many square degrees two have in common.
    fileprivate func common(with other: MapBox) -> Double {
        let wide = min(east, other.east) - max(west, other.west)
        let high = min(north, other.north) - max(south, other.south)
        return max(0, wide) * max(0, high)
    }
}
