/// Sea, land, lakes and borders.
struct WorldLayer {
    let tracer: Tracer
    /// Of tiles, which overlap: areas are filled as one, and lines are drawn as one.
    let shapes: [MapShape]

    func draw(_ pen: Pen) {
        pen.cover(Palette.sea)
        drawLand(pen)
        drawLakes(pen)
        drawBorders(pen)
    }

    /// Land with a few lines of water along its coast, as on an engraved map.
    private func drawLand(_ pen: Pen) {
        let isWide = tracer.projection.zoom < 3.5
        addLines(pen, "coasts", "land")
        for shoal in Palette.shoals { pen.stroke(shoal.colour, width: isWide ? shoal.width / 2 : shoal.width) }
        pen.forgetPath()
        addAreas(pen, "land")
        pen.fill(Palette.land)
        pen.forgetPath()
        addLines(pen, "coasts", "land")
        pen.stroke(Palette.coast, width: isWide ? 0.7 : 1)
        pen.forgetPath()
    }

    private func drawLakes(_ pen: Pen) {
        addAreas(pen, "lakes")
        pen.fill(Palette.sea)
        pen.forgetPath()
        addLines(pen, "coasts", "lake")
        pen.stroke(Palette.coast, width: 0.7)
        pen.forgetPath()
    }

    private func drawBorders(_ pen: Pen) {
        addLines(pen, "borders", "country")
        if tracer.projection.zoom > 4 { pen.stroke(Palette.borderBand, width: 6) }
        pen.stroke(Palette.border, width: tracer.projection.zoom < 4 ? 0.7 : 1)
        pen.forgetPath()
    }

    /// An area in which the point opposite the centre lies surrounds the picture from the outside: all of the picture
    /// is added to it, and its ring cuts out what is not in it.
    private func addAreas(_ pen: Pen, _ layer: String) {
        let opposite = tracer.projection.opposite
        for shape in shapes where shape.layer == layer {
            for ring in shape.rings { pen.add(tracer.ring(ring), isClosed: true) }
            if shape.contains(opposite) { pen.add(tracer.room.corners, isClosed: true) }
        }
    }

    private func addLines(_ pen: Pen, _ layer: String, _ kind: String) {
        for shape in shapes where shape.layer == layer && shape.kind == kind {
            for part in shape.rings.flatMap(tracer.parts) { pen.add(part, isClosed: false) }
        }
    }
}
