/// A pin's colour, which says how far its search is.
package enum PinTint: Sendable {
    case red, purple, green, grey
}

/// What a picture of the map shows.
package struct MapView: Hashable, Sendable {
    /// Degrees, -90 to 90 and -180 to 180.
    package let latitude: Double
    package let longitude: Double
    /// How many degrees of a great circle the shorter side shows, more than 0 and at most 180.
    package let span: Double
    /// Points.
    package let width: Int
    package let height: Int
    /// Pixels per point.
    package let scale: Int
    /// The colour of the pin in the middle; nil for none.
    package let pin: PinTint?
    /// Whether it has the colours of the night.
    package let isDark: Bool

    package init(
        latitude: Double, longitude: Double, span: Double, width: Int, height: Int, scale: Int, pin: PinTint? = .green,
        isDark: Bool = false
    ) {
        self.latitude = latitude
        // Both are the same meridian, and so the same picture.
        self.longitude = longitude == -180 ? 180 : longitude
        self.span = span
        self.width = width
        self.height = height
        self.scale = scale
        self.pin = pin
        self.isDark = isDark
    }

    /// Where a position is in the picture: from 0 at the left edge to 1 at the right one, and the same from the upper
    /// edge to the lower one. Beyond that for what the picture does not show.
    package func place(latitude: Double, longitude: Double) -> (x: Double, y: Double) {
        let point = projection.point(MapPoint(longitude: longitude, latitude: latitude))
        return (point.x / Double(width), point.y / Double(height))
    }

    var projection: Projection {
        Projection(
            centre: MapPoint(longitude: longitude, latitude: latitude), span: span, width: Double(width),
            height: Double(height))
    }
}

/// A picture of the map around a pin.
package struct MapPicture: Sendable {
    /// A PNG of `width` × `height` points.
    package let png: [UInt8]
    /// What has to be shown with it; it is also in the picture, if that is not too small.
    package let attribution: String
    /// Where its names are.
    let labels: [PlacedLabel]

    /// Draws it: the same bytes for the same view, data, font and tiles. Blocks, and computes for tens of milliseconds.
    ///
    /// - Parameter tiles: of maps of datasets, those that the view shows.
    package init(
        of view: MapView, _ data: MapData, _ font: MapFont, tiles: [MapTiles] = []
    ) throws(MapProblem) {
        let canvas = try Canvas(
            width: view.width, height: view.height, scale: view.scale, isDark: view.isDark, font: font)
        let scene = try Scene(view, data, tiles)
        scene.draw(canvas.pen)
        labels = try scene.furnish(canvas.pen, view)
        attribution = scene.attribution
        png = try canvas.png()
    }
}

/// All that is in a picture, from the bottom up.
private struct Scene {
    /// How far around the picture lines are followed, in points: half the widest line and more.
    private static let margin = 24.0
    /// The level of the web's map from which on it has towns.
    private static let webTownsFrom = 3
    /// The zoom from which on there are those of the table of all besides.
    private static let allTownsFrom = 5.5
    /// The zoom up to which towns have their names where there is a map with streets.
    private static let townsTo = 13.0
    /// How many towns are looked at.
    private static let maximumTowns = 3000

    private let projection: Projection
    private let tracer: Tracer
    private let world: WorldLayer
    private let maps: [TileMap]
    private let data: MapData
    /// Nil where nothing has streets.
    private let styles: MapStyles?
    let attribution: String

    /// - Parameter tiles: of maps of datasets.
    init(_ picture: MapView, _ data: MapData, _ tiles: [MapTiles]) throws(MapProblem) {
        projection = picture.projection
        self.data = data
        let tracer = Tracer(projection, margin: Self.margin)
        self.tracer = tracer
        let shapes = try data.world(picture) + [MapShape.southPole].compactMap(\.self)
        world = WorldLayer(tracer: tracer, shapes: shapes.filter(tracer.shows))
        // What a network gives lies below what is here.
        let layers = try tiles.filter(\.set.isForeign) + data.tiles(of: picture) + tiles.filter { !$0.set.isForeign }
        maps = try layers.map { tiles throws(MapProblem) in try TileMap(tiles, data) }
        styles = try maps.isEmpty ? nil : data.styles()
        attribution = Self.joined([try data.attribution()] + maps.map(\.attribution))
    }

    func draw(_ pen: Pen) {
        world.draw(pen)
        Graticule(tracer: tracer, view: tracer.view).draw(pen)
        guard let styles else { return }
        for map in maps { TileLayer(tracer: tracer, map: map, styles: styles).draw(pen) }
    }

    /// Each once.
    private static func joined(_ texts: [String]) -> String {
        texts.enumerated().filter { index, text in !text.isEmpty && !texts[..<index].contains(text) }.map(\.element)
            .joined(separator: "; ")
    }

    /// Draws names, the pin, the scale and the attribution, none over another; gives the names.
    func furnish(_ pen: Pen, _ view: MapView) throws(MapProblem) -> [PlacedLabel] {
        let pin = view.pin.map { PinMark(tip: projection.frame.centre, tint: $0) }
        let scale = ScaleBar(projection, span: view.span)
        let text = AttributionText(attribution, in: projection.frame, pen)
        var placing = LabelPlacing(projection, pen, pin: pin, taken: [scale?.box, text?.box].compactMap(\.self))
        try name(&placing)
        for label in placing.labels { label.draw(pen) }
        scale?.draw(pen)
        text?.draw(pen)
        pin?.draw(pen)
        return placing.labels
    }

    private func name(_ placing: inout LabelPlacing) throws(MapProblem) {
        let labels = styles.map { MapLabels(maps, tracer, $0) }
        labels?.placeTowns(&placing)
        if maps.isEmpty || projection.zoom < Self.townsTo { try nameTowns(&placing, besides: labels) }
        labels?.place(&placing)
    }

    /// Countries and towns of the world, where no map has its own: those of the web's map first, then others where
    /// there is room, as one can't look at a picture more closely.
    private func nameTowns(_ placing: inout LabelPlacing, besides labels: MapLabels?) throws(MapProblem) {
        func isBare(_ point: MapPoint) -> Bool { !(labels?.hasTowns(at: projection.point(point)) ?? false) }
        if projection.zoom < 7.5 { placing.place(countries: try data.countries()) }
        if projection.level >= Self.webTownsFrom {
            placing.place(worldTowns: world.shapes.filter { $0.layer == "places" && isBare($0.box.centre) })
        }
        if projection.zoom >= Self.allTownsFrom {
            let towns = try data.towns(in: projection.box(margin: 0), limit: Self.maximumTowns)
                .filter { isBare($0.point) }
            placing.place(towns: towns) { $0.rank >= 500_000 ? 12.5 : $0.rank >= 50_000 ? 11 : 9.5 }
        } else {
            placing.place(towns: try data.largeTowns()) { $0.rank < 100 ? 10.5 : 9.5 }
        }
    }
}
