/// A city's streets: casings below, fillings above, small ones below large ones, so that crossings look joined.
struct StreetLayer {
    let tracer: Tracer
    let streets: [MapShape]
    let styles: MapStyles

    func draw(_ pen: Pen) {
        let zoom = tracer.projection.zoom
        // The web's map has these widths at 60 degrees north, where it is twice as large as at the equator.
        let scale = zoom - 1
        let drawn = styles.streets.filter { $0.from <= zoom }.map { style in
            (style, streets.filter { styles.street($0)?.name == style.name }.flatMap(parts))
        }
        for (style, parts) in drawn {
            if let casing = style.casing, zoom >= 10, style.width(at: scale) >= 1 {
                stroke(pen, parts, Palette.named(casing), style.width(at: scale) + (zoom >= 14 ? 1.6 : 1.2))
            }
        }
        for (style, parts) in drawn {
            stroke(pen, parts, Palette.named(style.tint), style.width(at: scale), style.dash ?? [])
        }
    }

    private func parts(_ street: MapShape) -> [[ScreenPoint]] { street.rings.flatMap(tracer.parts) }

    private func stroke(
        _ pen: Pen, _ parts: [[ScreenPoint]], _ tint: Colour, _ width: Double, _ dash: [Double] = []
    ) {
        for part in parts { pen.add(part, isClosed: false) }
        pen.stroke(tint, width: width, dash: dash)
        pen.forgetPath()
    }
}
