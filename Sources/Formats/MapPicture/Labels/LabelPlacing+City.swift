import Glibc

extension LabelPlacing {
    private static let streetStyle = TextStyle(size: 9.5, ink: Palette.streetName, halo: Palette.streetHalo)
    private static let areaStyle = TextStyle(size: 9.5, ink: Palette.parkName, halo: Palette.halo)

    /// Names of streets, parks and squares.
    mutating func place(_ layers: [String: [MapShape]], _ tracer: Tracer, _ styles: MapStyles) {
        guard projection.zoom >= 14 else { return }
        for layer in ["streets-main", "streets-minor"] { place(streets: layers[layer] ?? [], tracer, styles) }
        for layer in ["parks", "squares"] { place(areas: layers[layer] ?? []) }
    }

    /// A name is placed in its area if it fits there.
    private mutating func place(areas: [MapShape]) {
        for area in areas where !area.name.isEmpty {
            let corners = [
                MapPoint(longitude: area.box.west, latitude: area.box.south),
                MapPoint(longitude: area.box.east, latitude: area.box.north),
            ]
            guard let box = ScreenBox(around: corners.map(projection.point)), box.height >= 14 else { continue }
            let width = pen.width(area.name, size: Self.areaStyle.size)
            guard width <= box.width * 1.15 else { continue }
            take(PlacedLabel(area.name, Self.areaStyle, width: width, centre: projection.point(area.box.centre)))
        }
    }

    /// A name is placed along a piece of its street that hardly bends.
    private mutating func place(streets: [MapShape], _ tracer: Tracer, _ styles: MapStyles) {
        for street in streets where !street.name.isEmpty {
            guard let style = styles.street(street), style.width(at: projection.zoom) > 4 else { continue }
            let width = pen.width(street.name, size: Self.streetStyle.size)
            for part in street.rings.flatMap(tracer.parts) {
                guard let spot = Self.spot(part, wanted: width + 10) else { continue }
                let label = PlacedLabel(
                    street.name, Self.streetStyle, width: width, centre: spot.middle, angle: spot.angle)
                if take(label) { break }
            }
        }
    }

    /// The middle and the direction of the first piece of a line that is long enough and straight.
    private static func spot(_ line: [ScreenPoint], wanted: Double) -> (middle: ScreenPoint, angle: Double)? {
        for (index, begin) in line.enumerated() {
            var length = 0.0
            var before = begin
            for point in line[(index + 1)...] {
                length += before.distance(to: point)
                let direct = begin.distance(to: point)
                if length - direct > 3 { break }
                if length >= wanted {
                    let (across, down) = (point.x - begin.x, point.y - begin.y)
                    // Between -90 and 90 degrees: never upside down.
                    let angle = across == 0 ? .pi / 2 : atan(down / across)
                    return (begin.middle(to: point), angle)
                }
                before = point
            }
        }
        return nil
    }
}
