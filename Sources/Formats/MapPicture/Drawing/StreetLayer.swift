/// Streets: casings below, fillings above, small ones below large ones, so that crossings look joined; what runs in a
/// tunnel is faint, and bridges are on top. As on the web's map.
struct StreetLayer {
    private static let tunnelEdge = [3.0, 3]
    private static let sleepers = [1.2, 7]

    let tracer: Tracer
    let streets: [MapShape]
    let styles: MapStyles

    private struct Drawn {
        let style: MapStyles.Street
        let way: MapShape.Way
        let path: TracedPath
    }

    func draw(_ pen: Pen) {
        let level = tracer.projection.level
        let byKind = Dictionary(grouping: streets, by: \.kind)
        let all = styles.streets.filter { $0.from <= Double(level) }.flatMap { style in
            Dictionary(grouping: byKind[style.name] ?? [], by: \.facts.way).map { way, shapes in
                Drawn(style: style, way: way, path: TracedPath(lines: shapes, tracer))
            }
        }
        for each in all where each.way == .tunnel { drawTunnel(pen, each) }
        if level > 9 {
            for each in all where each.way == .ground { drawCasing(pen, each, level > 13 ? 1.6 : 1.2) }
        }
        for each in all where each.way == .ground { drawFilling(pen, each) }
        pen.withFlatEnds {
            for each in all where each.way == .bridge { drawCasing(pen, each, level > 14 ? 3 : 1.6) }
        }
        for each in all where each.way == .bridge { drawFilling(pen, each) }
    }

    private func width(_ style: MapStyles.Street) -> Double { style.width(at: tracer.projection.streetZoom) }

    /// The edges of a street, if it is wide enough to have some.
    private func drawCasing(_ pen: Pen, _ each: Drawn, _ more: Double, _ dash: [Double] = []) {
        guard let casing = each.style.casing, width(each.style) >= 1 else { return }
        stroke(pen, each, Palette.named(casing), width(each.style) + more, dash)
    }

    private func drawFilling(_ pen: Pen, _ each: Drawn, alpha: Double = 1) {
        let tint = Palette.named(each.style.tint).faded(alpha)
        stroke(pen, each, tint, width(each.style), each.style.dash ?? [])
        guard each.style.name == "rail", tracer.projection.level > 15 else { return }
        pen.withFlatEnds { stroke(pen, each, tint, 5, Self.sleepers) }
    }

    /// Dashes along both sides of it.
    private func drawTunnel(_ pen: Pen, _ each: Drawn) {
        if each.style.casing != nil, tracer.projection.level > 13 {
            pen.withFlatEnds { drawCasing(pen, each, 2, Self.tunnelEdge) }
            stroke(pen, each, Palette.land, width(each.style))
        }
        drawFilling(pen, each, alpha: 0.4)
    }

    private func stroke(_ pen: Pen, _ each: Drawn, _ tint: Colour, _ width: Double, _ dash: [Double] = []) {
        guard !each.path.isEmpty else { return }
        pen.add(each.path)
        pen.stroke(tint, width: width, dash: dash)
        pen.forgetPath()
    }
}
