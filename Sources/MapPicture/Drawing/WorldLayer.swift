/// Sea, land, lakes and borders.
struct WorldLayer {
    let tracer: Tracer
    let shapes: [(shape: MapShape, cuts: CutLines)]

    func draw(_ pen: Pen) {
        pen.cover(Palette.sea)
        drawLand(pen)
        drawLakes(pen)
        drawBorders(pen)
    }

    /// Land with a few lines of water along its coast, as on an engraved map.
    private func drawLand(_ pen: Pen) {
        let isWide = tracer.projection.zoom < 3.5
        addCoasts(pen, "land")
        for shoal in Palette.shoals { pen.stroke(shoal.colour, width: isWide ? shoal.width / 2 : shoal.width) }
        pen.forgetPath()
        addAreas(pen, "land")
        pen.fill(Palette.land)
        pen.forgetPath()
        addCoasts(pen, "land")
        pen.stroke(Palette.coast, width: isWide ? 0.7 : 1)
        pen.forgetPath()
    }

    private func drawLakes(_ pen: Pen) {
        addAreas(pen, "lakes")
        pen.fill(Palette.sea)
        pen.forgetPath()
        addCoasts(pen, "lakes")
        pen.stroke(Palette.coast, width: 0.7)
        pen.forgetPath()
    }

    private func drawBorders(_ pen: Pen) {
        for (shape, _) in shapes where shape.layer == "borders" {
            for ring in shape.rings { for part in tracer.parts(ring) { pen.add(part, isClosed: false) } }
        }
        if tracer.projection.zoom > 4 { pen.stroke(Palette.borderBand, width: 6) }
        pen.stroke(Palette.border, width: tracer.projection.zoom < 4 ? 0.7 : 1)
        pen.forgetPath()
    }

    /// An area in which the point opposite the centre lies surrounds the picture from the outside: all of the picture
    /// is added to it, and its ring cuts out what is not in it.
    private func addAreas(_ pen: Pen, _ layer: String) {
        let opposite = tracer.projection.opposite
        for (shape, _) in shapes where shape.layer == layer {
            for ring in shape.rings { pen.add(tracer.ring(ring), isClosed: true) }
            if shape.contains(opposite) { pen.add(tracer.room.corners, isClosed: true) }
        }
    }

    private func addCoasts(_ pen: Pen, _ layer: String) {
        for (shape, cuts) in shapes where shape.layer == layer {
            for coast in shape.rings.flatMap(cuts.coasts) {
                for part in tracer.parts(coast) { pen.add(part, isClosed: false) }
            }
        }
    }
}
