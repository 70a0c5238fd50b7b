/// Decides which names a picture has, and where: the important ones first, and none covers another, the pin, the scale
/// or the attribution.
struct LabelPlacing {
    let projection: Projection
    let pen: Pen
    /// Nil without one.
    let pin: PinMark?
    var space: LabelSpace
    private(set) var labels: [PlacedLabel] = []
    /// Of towns that have their names.
    private var dots: [ScreenPoint] = []

    /// How many square points a town's name has for itself.
    private static let roomOfTown = 7_000.0
    /// How far apart two towns are at least that have names, in points: so that the country is not left out for the
    /// suburbs of its capital.
    private static let townsApart = 40.0
    /// DejaVu is wider than what the web's map has: the same name is as wide in so much of its size.
    private static let narrower = 0.8
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

    /// Towns that the web's map has at this zoom, in its order and with its sizes (Web/modules/paint/townnames.js).
    mutating func place(worldTowns towns: [MapShape]) {
        let level = Double(projection.level)
        let shown = towns.filter { $0.facts.from <= level && !$0.name.isEmpty }.sorted {
            ($0.facts.from, $1.facts.population, $0.name) < ($1.facts.from, $0.facts.population, $1.name)
        }
        for town in shown {
            let size = town.facts.from < 5 ? 13.5 : town.facts.from < 7 ? 12.5 : 11.5
            let dot = projection.point(town.box.centre)
            if projection.frame.contains(dot) {
                take(town.name, size: (level - town.facts.from > 3 ? size + 2 : size) * Self.narrower, dot)
            }
        }
    }

    /// Towns in the order given, as many as there is room for.
    ///
    /// - Parameter size: of a name by the town's rank, in points.
    mutating func place(towns: [MapLabel], size: (MapLabel) -> Double) {
        let frame = projection.frame
        let room = Int(max(2, frame.width * frame.height / Self.roomOfTown))
        for town in towns where dots.count < room {
            let dot = projection.point(town.point)
            guard frame.contains(dot), !dots.contains(where: { $0.distance(to: dot) < Self.townsApart }) else {
                continue
            }
            take(town.name, size: size(town), dot)
        }
    }

    /// A town's name below its dot, or above it where something else stands there, as on the web's map; beside it where
    /// both are taken, since in a picture the pin stands in the middle.
    private mutating func take(_ name: String, size: Double, _ dot: ScreenPoint) {
        let style = TextStyle(size: size, ink: Palette.town, halo: Palette.halo)
        let width = pen.width(name, size: size)
        var places = [(x: 0.0, y: 1.0), (x: 0, y: -1), (x: 1, y: 0), (x: -1, y: 0)].map {
            PlacedLabel(town: name, style, width: width, at: dot, $0)
        }
        // The pin stands in the town: its name goes below the tip. Others that the pin covers have none.
        if let pin, dot.distance(to: pin.tip) < Self.inTown {
            let centre = ScreenPoint(x: pin.tip.x, y: pin.tip.y + 6 + size * 0.65)
            places = [PlacedLabel(name, style, width: width, centre: centre)]
        }
        for place in places where take(place) { return dots.append(dot) }
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
