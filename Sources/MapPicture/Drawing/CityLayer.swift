/// A city as its own data has it, over the world's coarse lines. It ends at a straight edge, and fades out there.
struct CityLayer {
    /// Width of the fading edge, as a share of the city's smaller side.
    private static let fade = 0.07
    /// From which zoom on cities are drawn.
    static let from = 13.0

    let tracer: Tracer
    let city: City

    func draw(_ pen: Pen) {
        let zoom = tracer.projection.zoom
        let corners = [
            MapPoint(longitude: city.box.west, latitude: city.box.south),
            MapPoint(longitude: city.box.west, latitude: city.box.north),
            MapPoint(longitude: city.box.east, latitude: city.box.south),
            MapPoint(longitude: city.box.east, latitude: city.box.north),
        ]
        guard let box = ScreenBox(around: corners.map(tracer.projection.point)) else { return }
        pen.fading(box, reach: min(box.width, box.height) * Self.fade) {
            fill(pen, "land", Palette.land)
            fill(pen, "parks", Palette.park)
            if zoom >= 14.5 { fill(pen, "squares", Palette.square) }
            drawWater(pen)
            if zoom >= 14.5 { fill(pen, "buildings", Palette.building, edge: zoom > 15.3 ? Palette.buildingEdge : nil) }
            StreetLayer(tracer: tracer, streets: streets).draw(pen)
        }
    }

    private var streets: [MapShape] {
        ["streets-minor", "rails", "streets-main"].flatMap { city.layers[$0] ?? [] }
    }

    private func fill(_ pen: Pen, _ layer: String, _ colour: Colour, edge: Colour? = nil) {
        add(pen, layer)
        pen.fill(colour)
        if let edge { pen.stroke(edge, width: 0.8) }
        pen.forgetPath()
    }

    /// The lines of water along the shore run inside of the water here.
    private func drawWater(_ pen: Pen) {
        add(pen, "water")
        pen.within {
            pen.fill(Palette.sea)
            for shoal in Palette.shoals { pen.stroke(shoal.colour, width: shoal.width) }
        }
        pen.stroke(Palette.coast, width: 1)
        pen.forgetPath()
    }

    private func add(_ pen: Pen, _ layer: String) {
        for shape in city.layers[layer] ?? [] {
            for ring in shape.rings { pen.add(tracer.ring(ring), isClosed: true) }
        }
    }
}
