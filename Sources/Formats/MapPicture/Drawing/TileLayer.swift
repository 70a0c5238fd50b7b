/// The map of a dataset, tile by tile, over the world's coarse lines. Where its data ends, it fades out.
struct TileLayer {
    /// Width of the fading edge, in points.
    private static let fade = 12.0

    let tracer: Tracer
    let map: TileMap
    let styles: MapStyles

    func draw(_ pen: Pen) {
        pen.within(tracer.projection.frame, reach: Self.fade, mask: cover) {
            // What a tile has continues beyond its edge, so that no line is drawn where it is cut.
            for tile in map.tiles {
                pen.add(tracer.ring(tile.corners), isClosed: true)
                pen.withinPixels {
                    pen.cover(Palette.land)
                    CityLayer(tracer: tracer, layers: tile.layers, styles: styles).draw(pen)
                }
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
