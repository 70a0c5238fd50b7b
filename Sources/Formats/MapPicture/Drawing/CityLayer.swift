import Glibc

/// What lies on the land in a tile: parks, water, buildings, streets, borders.
struct CityLayer {
    let tracer: Tracer
    let layers: [String: [MapShape]]
    let styles: MapStyles

    func draw(_ pen: Pen) {
        let zoom = tracer.projection.zoom
        drawParks(pen)
        if zoom >= 14.5 { fill(pen, layers["squares"] ?? [], Palette.square) }
        drawWater(pen)
        drawWaterways(pen)
        if zoom >= 14.5 {
            fill(pen, layers["buildings"] ?? [], Palette.building, edge: zoom > 15.3 ? Palette.buildingEdge : nil)
        }
        StreetLayer(tracer: tracer, streets: streets, styles: styles).draw(pen)
        for (kind, style) in styles.borders.sorted(by: { $0.key < $1.key }) {
            stroke(pen, lines("borders", kind), Palette.border, width: style.width, dash: style.dash)
        }
    }

    private var streets: [MapShape] {
        ["streets-minor", "rails", "streets-main"].flatMap { layers[$0] ?? [] }
    }

    private func drawParks(_ pen: Pen) {
        let parks = Dictionary(grouping: layers["parks"] ?? [], by: \.kind)
        for area in styles.areas {
            if let shapes = parks[area.name] { fill(pen, shapes, Palette.named(area.tint)) }
        }
    }

    /// The lines of water along the shore run inside of the water here.
    private func drawWater(_ pen: Pen) {
        add(pen, layers["water"] ?? [])
        pen.within {
            pen.fill(Palette.sea)
            for shoal in Palette.shoals { pen.stroke(shoal.colour, width: shoal.width) }
        }
        pen.stroke(Palette.coast, width: 1)
        pen.forgetPath()
    }

    private func drawWaterways(_ pen: Pen) {
        for (kind, width) in styles.waterways.sorted(by: { $0.key < $1.key }) {
            let width = max(0.8, width * pow(1.5, tracer.projection.zoom - 15))
            stroke(pen, lines("waterways", kind), Palette.coast, width: width)
        }
    }

    private func lines(_ layer: String, _ kind: String) -> [[MapPoint]] {
        (layers[layer] ?? []).filter { $0.kind == kind }.flatMap(\.rings)
    }

    private func stroke(_ pen: Pen, _ lines: [[MapPoint]], _ tint: Colour, width: Double, dash: [Double] = []) {
        for part in lines.flatMap(tracer.parts) { pen.add(part, isClosed: false) }
        pen.stroke(tint, width: width, dash: dash)
        pen.forgetPath()
    }

    private func fill(_ pen: Pen, _ shapes: [MapShape], _ colour: Colour, edge: Colour? = nil) {
        add(pen, shapes)
        pen.fill(colour)
        if let edge { pen.stroke(edge, width: 0.8) }
        pen.forgetPath()
    }

    private func add(_ pen: Pen, _ shapes: [MapShape]) {
        for shape in shapes { for ring in shape.rings { pen.add(tracer.ring(ring), isClosed: true) } }
    }
}
