import Bytes
import Glibc

/// What is written along streets: their names, shields with their numbers, and arrows where one may drive in one
/// direction only.
struct StreetLabels {
    private static let namesFrom = 15
    private static let arrowsFrom = 16
    /// Points between two arrows, and between two shields; and of a line that has one.
    private static let arrowsApart = 150.0
    private static let shieldsApart = 240.0
    private static let least = 28.0
    private static let longestNumber = 8
    /// How many points of a line a name is written along at most.
    private static let longestBend = 200
    private static let style = TextStyle(size: 9.5, ink: Palette.streetName, halo: Palette.streetHalo)

    let tracer: Tracer
    let styles: MapStyles

    private var level: Int { tracer.projection.level }

    private func width(_ shape: MapShape) -> Double {
        styles.street(shape.kind)?.width(at: Double(level)) ?? 0
    }

    /// Along a piece of each street that hardly bends, wide ones first.
    func placeNames(_ streets: [(shape: MapShape, tile: SeenTile)], _ placing: inout LabelPlacing) {
        guard level >= Self.namesFrom else { return }
        let wide = streets.filter { !$0.shape.name.isEmpty }.map { ($0.shape, $0.tile, width($0.shape)) }
            .filter { $0.2 > 4 }.enumerated().sorted { ($1.element.2, $0.offset) < ($0.element.2, $1.offset) }
        for (street, tile, _) in wide.map(\.element) {
            let parts = street.rings.flatMap(tracer.parts)
            guard !parts.isEmpty else { continue }
            let width = placing.pen.width(street.name, size: Self.style.size)
            for part in parts {
                guard let spot = Self.spot(part, wanted: width + 10), tile.isSeen(spot.middle) else { continue }
                let label = PlacedLabel(street.name, Self.style, width: width, centre: spot.middle, angle: spot.angle)
                if placing.take(label) { break }
            }
        }
    }

    /// Of several numbers the first.
    func placeShields(_ streets: [(shape: MapShape, tile: SeenTile)], _ placing: inout LabelPlacing) {
        let numbered = streets.compactMap { shape, tile in
            styles.shields[shape.kind].flatMap { from in
                from <= level && !shape.facts.number.isEmpty ? (shape: shape, tile: tile, from: from) : nil
            }
        }
        let ordered = numbered.enumerated().sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }
        for (shape, tile, _) in ordered.map(\.element) {
            let text = String((shape.facts.number.split(at: ";").first ?? "").trimmed)
            guard !text.isEmpty, text.unicodeScalars.count <= Self.longestNumber, MapFont.has(text) else { continue }
            let isMain = shape.kind == "motorway"
            let style = TextStyle(size: 8, ink: isMain ? Palette.mainShieldInk : Palette.shieldInk)
            let width = placing.pen.width(text, size: style.size)
            for spot in spots(shape, apart: Self.shieldsApart) where tile.isSeen(spot.point) {
                let label = PlacedLabel(shield: text, isMain: isMain, style, width: width, centre: spot.point)
                placing.take(label, name: "shield \(text)")
            }
        }
    }

    func placeArrows(_ streets: [(shape: MapShape, tile: SeenTile)], _ placing: inout LabelPlacing) {
        guard level >= Self.arrowsFrom else { return }
        for (shape, tile) in streets where shape.facts.isOneWay && width(shape) >= 3.5 {
            for spot in spots(shape, apart: Self.arrowsApart) where tile.isSeen(spot.point) {
                placing.take(PlacedLabel(arrowAt: spot.point, angle: spot.angle), name: "")
            }
        }
    }

    /// Points of a line with its direction there, so far apart: one in its middle, unless it is too short.
    private func spots(_ shape: MapShape, apart: Double) -> [(point: ScreenPoint, angle: Double)] {
        shape.rings.flatMap(tracer.parts).flatMap { line -> [(point: ScreenPoint, angle: Double)] in
            let length = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
            guard length >= Self.least else { return [] }
            let count = max(1, (length / apart).rounded(.down))
            var found: [(point: ScreenPoint, angle: Double)] = []
            var passed = 0.0
            for (a, b) in zip(line, line.dropFirst()) {
                let step = a.distance(to: b)
                while Double(found.count) < count {
                    let rest = (Double(found.count) + 0.5) * length / count - passed
                    guard rest <= step, step > 0 else { break }
                    let share = rest / step
                    let point = ScreenPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
                    found.append((point, atan2(b.y - a.y, b.x - a.x)))
                }
                passed += step
            }
            return found
        }
    }

    /// The middle and the direction of the first piece of a line that is long enough and straight.
    private static func spot(_ line: [ScreenPoint], wanted: Double) -> (middle: ScreenPoint, angle: Double)? {
        for (index, begin) in line.enumerated() {
            var length = 0.0
            var before = begin
            for point in line[(index + 1)...].prefix(longestBend) {
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
