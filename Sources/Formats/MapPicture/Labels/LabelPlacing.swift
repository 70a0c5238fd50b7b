/// Decides which names a picture has, and where: the important ones first, and none covers another, the pin, the scale
/// or the attribution.
struct LabelPlacing {
    let projection: Projection
    let pen: Pen
    /// Nil without one.
    let pin: PinMark?
    var space: LabelSpace
    private(set) var labels: [PlacedLabel] = []

    /// How many square points a town's name has for itself.
    private static let roomOfTown = 7_000.0
    /// How far apart two towns are at least that have names, in points: so that the country is not left out for the
    /// suburbs of its capital.
    private static let townsApart = 40.0
    /// How far from a town's dot a pin is in the town, in points.
    private static let inTown = 12.0

    init(_ projection: Projection, _ pen: Pen, pin: PinMark?, taken: [ScreenBox]) {
        self.projection = projection
        self.pen = pen
        self.pin = pin
        space = LabelSpace(frame: projection.frame, taken: taken + [pin?.box].compactMap(\.self))
    }

    /// Countries that are important enough for the zoom.
    mutating func place(countries: [MapLabel]) {
        let style = TextStyle(
            size: projection.zoom < 4 ? 9 : 10.5, ink: Palette.country, halo: Palette.halo, spacing: 2)
        for country in countries where Double(country.rank) <= max(2, projection.zoom + 0.5) {
            let centre = projection.point(country.point)
            guard projection.frame.contains(centre) else { continue }
            let text = country.name.uppercased()
            let width = pen.width(text, size: style.size, spacing: style.spacing)
            take(PlacedLabel(text, style, width: width, centre: centre))
        }
    }

    /// Towns in the order given, as many as there is room for.
    ///
    /// - Parameter size: of a name by the town's rank, in points.
    mutating func place(towns: [MapLabel], size: (MapLabel) -> Double) {
        let frame = projection.frame
        var room = Int(max(2, frame.width * frame.height / Self.roomOfTown))
        var dots: [ScreenPoint] = []
        for town in towns where room > 0 {
            let dot = projection.point(town.point)
            guard frame.contains(dot), !dots.contains(where: { $0.distance(to: dot) < Self.townsApart }) else {
                continue
            }
            let style = TextStyle(size: size(town), ink: Palette.town, halo: Palette.halo)
            guard take(town, style, dot) else { continue }
            dots.append(dot)
            room -= 1
        }
    }

    private mutating func take(_ town: MapLabel, _ style: TextStyle, _ dot: ScreenPoint) -> Bool {
        let width = pen.width(town.name, size: style.size)
        // The pin stands in the town: its name goes below the tip. Others that the pin covers have none.
        if let pin, dot.distance(to: pin.tip) < Self.inTown {
            let centre = ScreenPoint(x: pin.tip.x, y: pin.tip.y + 6 + style.size * 0.65)
            return take(PlacedLabel(town.name, style, width: width, centre: centre))
        }
        for side in [(x: 1.0, y: 0.0), (x: -1, y: 0), (x: 0, y: 1), (x: 0, y: -1)]
        where take(PlacedLabel(town: town.name, style, width: width, at: dot, side)) { return true }
        return false
    }

    /// Writes a text around a point, if it is free there.
    /// - Parameter isAlone: whether the same text is nowhere near.
    mutating func write(_ text: String, _ style: TextStyle, at centre: ScreenPoint, isAlone: Bool = true) {
        let width = pen.width(text, size: style.size, spacing: style.spacing)
        take(PlacedLabel(text, style, width: width, centre: centre), name: isAlone ? text : "")
    }

    /// Takes the label's place if it is free.
    @discardableResult
    mutating func take(_ label: PlacedLabel) -> Bool { take(label, name: label.text) }

    /// The same of one that is no closer than usual to others with this name; with an empty one it may be near any.
    @discardableResult
    mutating func take(_ label: PlacedLabel, name: String) -> Bool {
        guard space.isFree(label.box), name.isEmpty || !space.isNear(name, label.box.centre) else { return false }
        space.take(label.box, name: name)
        labels.append(label)
        return true
    }
}
