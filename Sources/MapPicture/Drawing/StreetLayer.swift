import Glibc

/// A city's streets: casings below, fillings above, small ones below large ones, so that crossings look joined.
struct StreetLayer {
    let tracer: Tracer
    let streets: [MapShape]

    /// How a class of streets is drawn, after the web's map.
    struct Kind: Sendable {
        let name: String
        /// Points at zoom 16.
        let width: Double
        /// The zoom from which on it is drawn.
        let from: Double
        let tint: Colour
        var casing: Colour?
        var dash: [Double] = []

        func width(at zoom: Double) -> Double { max(0.7, width * pow(1.62, zoom - 16)) }
    }

    /// The smallest first.
    static let kinds = [
        Kind(name: "foot", width: 1.3, from: 15.7, tint: Palette.path, dash: [3, 2.5]),
        Kind(name: "cycle", width: 1.3, from: 15.7, tint: Palette.path, dash: [5, 2.5]),
        Kind(name: "service", width: 4, from: 15, tint: Palette.street, casing: Palette.casing),
        Kind(name: "pedestrian", width: 7, from: 14, tint: Palette.pedestrian, casing: Palette.casing),
        Kind(name: "residential", width: 8, from: 13, tint: Palette.street, casing: Palette.casing),
        Kind(name: "tertiary", width: 10, from: 12, tint: Palette.street, casing: Palette.casing),
        Kind(name: "secondary", width: 12, from: 11, tint: Palette.mainStreet, casing: Palette.mainCasing),
        Kind(name: "primary", width: 13, from: 10, tint: Palette.mainStreet, casing: Palette.mainCasing),
        Kind(name: "motorway", width: 15, from: 9, tint: Palette.mainStreet, casing: Palette.mainCasing),
        Kind(name: "tram", width: 1.2, from: 15, tint: Palette.tram),
        Kind(name: "rail", width: 1.6, from: 11, tint: Palette.rail),
    ]

    /// Of a street's class; one that is not known is drawn as a small street.
    static func kind(of street: MapShape) -> Kind {
        kinds.first { $0.name == street.kind } ?? kinds[2]
    }

    func draw(_ pen: Pen) {
        let zoom = tracer.projection.zoom
        let drawn = Self.kinds.filter { $0.from <= zoom }.map { kind in
            (kind, streets.filter { Self.kind(of: $0).name == kind.name }.flatMap(parts))
        }
        for (kind, parts) in drawn {
            if let casing = kind.casing, zoom >= 14 { stroke(pen, parts, casing, kind.width(at: zoom) + 1.6) }
        }
        for (kind, parts) in drawn { stroke(pen, parts, kind.tint, kind.width(at: zoom), kind.dash) }
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
