import Glibc

/// What lies on the land in a tile: parks, water, buildings, streets, borders. As the web's map draws it
/// (Web/modules/paint/vectordraw.js).
struct CityLayer {
    private static let shoreFrom = 9

    let tracer: Tracer
    let tile: TileMap.Tile
    let styles: MapStyles

    private var level: Int { tracer.projection.level }

    func draw(_ pen: Pen) {
        drawParks(pen)
        drawWater(pen)
        drawWaterways(pen)
        fill(pen, shapes("squares"), Palette.square)
        if level > 14 {
            fill(pen, shapes("buildings"), Palette.building, edge: level > 15 ? Palette.buildingEdge : nil)
        }
        StreetLayer(tracer: tracer, streets: shapes("streets") + shapes("rails"), styles: styles).draw(pen)
        for (kind, style) in styles.borders.sorted(by: { $0.key < $1.key }) {
            stroke(pen, lines("borders", kind), Palette.border, width: style.width, dash: style.dash)
        }
    }

    private func shapes(_ layer: String) -> [MapShape] { (tile.layers[layer] ?? []).filter(tracer.shows) }

    private func drawParks(_ pen: Pen) {
        let parks = Dictionary(grouping: shapes("parks"), by: \.kind)
        for area in styles.areas {
            if let shapes = parks[area.name] { fill(pen, shapes, Palette.named(area.tint)) }
        }
    }

    /// The lines of water along the shore run inside of the water here. A tile of others cuts its water just outside of
    /// itself, where no shore is.
    private func drawWater(_ pen: Pen) {
        let shapes = shapes("water")
        let (water, shore) = (TracedPath(areas: shapes, tracer), TracedPath(shores: shapes, tracer, tile))
        guard !water.isEmpty else { return }
        pen.add(water)
        pen.fill(Palette.sea)
        if level >= Self.shoreFrom {
            pen.within {
                pen.forgetPath()
                pen.add(shore)
                for shoal in Palette.shoals { pen.stroke(shoal.colour, width: shoal.width) }
            }
        }
        pen.forgetPath()
        pen.add(shore)
        pen.stroke(Palette.coast, width: 1)
        pen.forgetPath()
    }

    private func drawWaterways(_ pen: Pen) {
        for (kind, width) in styles.waterways.sorted(by: { $0.key < $1.key }) {
            let width = max(0.8, width * pow(1.5, tracer.projection.webZoom - 15))
            stroke(pen, lines("waterways", kind), Palette.coast, width: width)
        }
    }

    private func lines(_ layer: String, _ kind: String) -> [[MapPoint]] {
        shapes(layer).filter { $0.kind == kind }.flatMap(\.rings)
    }

    private func stroke(_ pen: Pen, _ lines: [[MapPoint]], _ tint: Colour, width: Double, dash: [Double] = []) {
        guard !lines.isEmpty else { return }
        for part in lines.flatMap(tracer.parts) { pen.add(part, isClosed: false) }
        pen.stroke(tint, width: width, dash: dash)
        pen.forgetPath()
    }

    private func fill(_ pen: Pen, _ shapes: [MapShape], _ colour: Colour, edge: Colour? = nil) {
        let areas = TracedPath(areas: shapes, tracer)
        guard !areas.isEmpty else { return }
        pen.add(areas)
        pen.fill(colour)
        if let edge { pen.stroke(edge, width: 0.8) }
        pen.forgetPath()
    }
}
