import PlaceContracts
import VectorTiles

/// Makes the map of an .osm.pbf. From the first reading of the file it keeps points and the relations that are
/// areas or borders; in the second it draws each way, and at the end the areas and the sea.
final class OSMMap {
    /// Nodes of coasts that are kept; what is beyond is left out.
    private static let maximumOfCoast = 32_000_000

    private let geometry: OSMGeometry
    private let folder: String
    private var points = MapPoints()
    private var areas = MapAreas()
    private var borders = MapBorders()
    /// Lines of coast, by their nodes.
    private var coast: [[Int64]] = []
    private var coastCount = 0
    private var texts: MapTexts?
    /// What the file says was cut out of the world.
    private var extract: WorldBox?
    private var ground: MapGround?
    private var drawing: MapDrawing?
    private var isDrawing = false
    /// Why there is no map; nil when there is one, or nothing to draw.
    private(set) var problem: String?

    /// - Parameter folder: where its files without a name are.
    init(_ geometry: OSMGeometry, folder: String) {
        self.geometry = geometry
        self.folder = folder
    }
}

// MARK: the first reading

extension OSMMap {
    /// Keeps where the file was cut.
    func note(_ header: PbfHeader) { extract = header.box.flatMap(WorldBox.init) }

    /// Begins with a block, whose elements follow.
    func begin(_ block: OSMBlock) { texts = MapTexts(block) }

    /// Keeps a node that is a place with a name, or is marked.
    func note(_ node: OSMNode, at point: GridPoint, in block: OSMBlock) throws(PlacesError) {
        guard !node.tags.isEmpty, let texts, texts.mayMatter(node.tags) else { return }
        let tags = MapTags(node.tags, in: block, texts)
        for style in MapMarks.styles(tags) + [MapRules.style(ofPlace: tags)].compactMap(\.self) {
            try points.keep(style, tags.names, at: point, folder: folder)
        }
    }

    /// Keeps a relation that is a border or an area.
    func note(_ relation: PbfRelation, _ tags: [TagPair], in block: OSMBlock) throws(PlacesError) {
        guard let texts, texts.mayMatter(tags) else { return }
        let own = MapTags(tags, in: block, texts)
        if let level = MapRules.borderLevel(own) { borders.note(level, try block.members(of: relation)) }
        try areas.note(relation, own, in: block)
    }

    /// The ways that areas are made of.
    var memberWays: [Int64] { areas.ways }
}

// MARK: the second reading

extension OSMMap {
    /// All nodes and relations were seen: draws the points. Ways follow.
    /// - Parameter look: called now and then; ends it by throwing.
    func beginDrawing(look: () throws(PlacesError) -> Void) throws(PlacesError) {
        guard let ground = MapGround(geometry.nodes, extract: extract) else { return }
        do throws(TileError) {
            drawing = try MapDrawing(
                ground.coverage, folder: folder, memory: geometry.memory, nodeCount: geometry.nodes.count)
        } catch .tooMany {
            // A few nodes that lie far apart are places, and no map.
            return
        } catch {
            throw PlacesError(error)
        }
        self.ground = ground
        isDrawing = true
        try points.take { point, zoom, feature throws(PlacesError) in
            try look()
            try drawing?.add(
                TileShape(.points, [[point]]), on: MapLayer(rawValue: feature.layer), from: zoom
            ) { _ in feature }
        }
        noteProblem()
    }

    private func add(marks: [MapStyle], _ names: [TileFeature.Property], at point: GridPoint?) throws(PlacesError) {
        guard let point else { return }
        for style in marks { try add(TileShape(.points, [[WorldPoint(point)]]), style, names) }
    }

    private func noteProblem() {
        problem = drawing?.problem
        if problem != nil { isDrawing = false }
    }

    private func add(
        _ shape: TileShape, _ style: MapStyle, _ names: [TileFeature.Property]
    ) throws(PlacesError) {
        try drawing?.add(shape, style, names)
        noteProblem()
    }

    /// Draws a way.
    func draw(_ way: OSMWay, in block: OSMBlock) throws(PlacesError) {
        guard isDrawing, let texts, texts.mayMatter(way.tags) || borders.has(way.id) else { return }
        let own = MapTags(way.tags, in: block, texts)
        let ids = way.nodes
        if let border = borders.style(of: way.id, own) { try add(line: ids, border, []) }
        guard texts.mayMatter(way.tags) else { return }
        if own["natural"] == "coastline" { keep(coast: ids) }
        let isClosed = ids.count > 3 && ids.first == ids.last
        let marks = isClosed ? MapMarks.styles(own) : []
        if !marks.isEmpty { try add(marks: marks, own.names, at: geometry.middle(ids)) }
        guard let (style, isArea) = MapRules.style(ofWay: own, isClosed: isClosed) else { return }
        guard isArea else { return try add(line: ids, style, own.names) }
        var rings = MapRings()
        rings.add(outer: ids, geometry.ring)
        try add(rings.shape, style, own.names)
    }

    private func add(line ids: [Int64], _ style: MapStyle, _ names: [TileFeature.Property]) throws(PlacesError) {
        let ids = style.direction == .against ? ids.reversed() : ids
        try add(TileShape(.lines, geometry.lines(ids)), style, names)
    }

    private func keep(coast ids: [Int64]) {
        guard ids.count > 1, coastCount + ids.count <= Self.maximumOfCoast else { return }
        coastCount += ids.count
        coast.append(ids)
    }
}

// MARK: the end

extension OSMMap {
    /// Draws what is made of several ways and writes the archive; nil when there is nothing to draw, or `problem` says
    /// why not.
    /// - Parameter look: called now and then; ends it by throwing.
    func write(
        to path: String, attribution: String, look: () throws(PlacesError) -> Void
    ) throws(PlacesError) -> PMTilesSummary? {
        guard isDrawing, let ground else { return nil }
        for area in areas.areas {
            try look()
            if let rings = areas.rings(of: area, geometry) { try add(rings.shape, area.style, area.names) }
            if !area.marks.isEmpty {
                try add(marks: area.marks, area.names, at: areas.middle(of: area, geometry))
            }
        }
        for sea in ground.sea(coast.flatMap(geometry.lines), geometry.nodes) {
            try look()
            try add(sea, MapStyle(.sea, "sea", from: MapLayer.rules.zooms.lowerBound), [])
        }
        guard problem == nil, let drawing = self.drawing.take(), !drawing.isEmpty else { return nil }
        return try drawing.write(to: path, attribution: attribution, look: look)
    }
}

extension WorldBox {
    /// Nil for a box that is none.
    fileprivate init?(_ box: PbfBox) {
        func degrees(_ number: UInt64) -> Double { Double(OSMBlock.unfolded(number)) / 1e9 }
        let (west, east) = (degrees(box.left), degrees(box.right))
        let (south, north) = (degrees(box.bottom), degrees(box.top))
        guard -180 <= west, west < east, east <= 180, -90 <= south, south < north, north <= 90 else { return nil }
        self.init(around: [
            WorldPoint(latitude: north, longitude: west), WorldPoint(latitude: south, longitude: east),
        ])
    }
}
