/// What is written on maps with streets, in the order and by the rules of the web's map
/// (Web/modules/paint/labels.js): the important things first.
struct MapLabels {
    private static let townSize = 0.8
    /// Blocks of houses and their like have no names like those of parks.
    private static let built: Set<String> = ["residential", "industrial", "campus", "parking", "airfield"]
    /// How many of one kind are looked at: a tile may be a stranger's.
    private static let most = 10_000

    let tracer: Tracer
    let styles: MapStyles
    let tiles: [SeenTile]

    private var level: Int { tracer.projection.level }

    init(_ maps: [TileMap], _ tracer: Tracer, _ styles: MapStyles) {
        (self.tracer, self.styles) = (tracer, styles)
        tiles = SeenTile.all(of: maps, tracer)
    }

    /// Towns and their parts.
    func placeTowns(_ placing: inout LabelPlacing) {
        let shown = styles.places.enumerated().filter { $0.element.from <= level && level <= $0.element.to }
        let ranks = Dictionary(shown.map { ($0.element.name, $0.offset) }) { first, _ in first }
        var found: [(shape: MapShape, point: ScreenPoint, rank: Int)] = []
        eachPoint("places") { shape, point in
            if let rank = ranks[shape.kind], !shape.name.isEmpty { found.append((shape, point, rank)) }
        }
        found.sort { ($0.rank, $1.shape.facts.population) < ($1.rank, $0.shape.facts.population) }
        for (shape, point, rank) in found {
            let place = styles.places[rank]
            let isPart = place.isPart ?? false
            let style = TextStyle(
                size: place.points * Self.townSize, ink: isPart ? Palette.country : Palette.town, halo: Palette.halo,
                spacing: isPart ? 1 : 0)
            placing.write(isPart ? shape.name.uppercased() : shape.name, style, at: point)
        }
    }

    /// Whether a map has its own names of towns at a point.
    func hasTowns(at point: ScreenPoint) -> Bool {
        tiles.contains { $0.named["places"] != nil && $0.isThere(point) }
    }

    /// All others.
    func place(_ placing: inout LabelPlacing) {
        let marks = MarkLabels(styles: styles, level: level)
        let points = points("marks")
        marks.place(points, &placing, isFirst: true)
        let (streets, ways) = (StreetLabels(tracer: tracer, styles: styles), lines("streets"))
        streets.placeShields(ways, &placing)
        streets.placeNames(ways, &placing)
        let areas = AreaLabels(projection: tracer.projection)
        let parks = lines("parks")
        areas.place(parks.filter { !Self.built.contains($0.shape.kind) } + lines("squares"), Palette.parkName, &placing)
        areas.place(parks.filter { Self.built.contains($0.shape.kind) }, Palette.buildingName, &placing)
        areas.place(lines("water"), Palette.coast, &placing)
        marks.place(points, &placing, isFirst: false)
        if level > 16 { areas.place(lines("buildings"), Palette.buildingName, &placing) }
        streets.placeArrows(ways, &placing)
        marks.placeNumbers(self.points("numbers"), &placing)
    }

    private func lines(_ layer: String) -> [(shape: MapShape, tile: SeenTile)] {
        let shown = tiles.lazy.flatMap { [tracer] tile in
            (tile.named[layer] ?? []).lazy.filter(tracer.shows).map { ($0, tile) }
        }
        return Array(shown.prefix(Self.most))
    }

    private func points(_ layer: String) -> [(shape: MapShape, point: ScreenPoint)] {
        var found: [(shape: MapShape, point: ScreenPoint)] = []
        eachPoint(layer) { found.append(($0, $1)) }
        return found
    }

    private func eachPoint(_ layer: String, _ body: (MapShape, ScreenPoint) -> Void) {
        let frame = tracer.projection.frame
        var count = 0
        for tile in tiles {
            for shape in tile.named[layer] ?? [] where count < Self.most && tracer.shows(shape) {
                guard let point = (shape.rings.first?.first).map(tracer.projection.point), frame.contains(point),
                    tile.isSeen(point)
                else { continue }
                count += 1
                body(shape, point)
            }
        }
    }
}
