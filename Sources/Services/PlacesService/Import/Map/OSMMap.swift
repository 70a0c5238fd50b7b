import PlaceContracts
import EventLoops
import FeatureFiles
import VectorTiles

/// Makes the map of an .osm.pbf. The first reading of the file, which finds its places, gives it all nodes, the blobs
/// with ways, and the relations that are areas. Then it reads these blobs once more, and draws.
final class OSMMap {
    /// Relations and named points that are kept; what is beyond is left out.
    private static let mostKept = 2_000_000
    /// Members of these relations.
    private static let mostMembers = 16_000_000

    struct Area {
        let style: MapStyle
        let names: [TileFeature.Property]
        let members: Range<Int>
    }

    private struct Point {
        let style: MapStyle
        let names: [TileFeature.Property]
        let position: WorldPoint
    }

    private let folder: String
    private var nodes: NodeTable
    private var points: [Point] = []
    private var areas: [Area] = []
    private var borders = MapBorders()
    private var members: [OSMShapes.Member] = []
    private var wayBlobs: [BlobReader.Entry] = []
    private var texts: MapTexts?
    /// What the file says was cut out of the world.
    private var extract: WorldBox?
    /// Why there is no map; nil when there is one, or nothing to draw.
    private(set) var problem: String?

    /// - Parameter folder: where its files without a name are.
    init(folder: String) throws(PlacesError) {
        self.folder = folder
        nodes = try PlacesError.converting("the map") { () throws(SystemError) in try NodeTable(folder: folder) }
    }

    /// Bytes of the file that will be read again.
    var repeatedBytes: UInt64 { wayBlobs.reduce(0) { $0 + UInt64($1.byteCount) } }

    /// Keeps where the file was cut.
    func note(_ header: PbfHeader) { extract = header.box.flatMap(WorldBox.init) }

    /// Begins with a block, and keeps its relations. Its nodes follow.
    func note(_ block: OSMBlock, _ entry: BlobReader.Entry) throws(PlacesError) {
        let texts = MapTexts(block)
        self.texts = texts
        if !block.ways.isEmpty { wayBlobs.append(entry) }
        for way in block.ways where !way.latitudes.isEmpty {
            for node in try block.nodes(of: way, try block.runningSums(way.nodes)) {
                guard let point = GridPoint(node) else { continue }
                try PlacesError.converting("the map") { () throws(SystemError) in try nodes.add(ofWay: node.id, point) }
            }
        }
        for relation in block.relations {
            let tags = try block.tags(relation.keys, relation.values)
            guard texts.mayMatter(tags) else { continue }
            let own = MapTags(tags, in: block, texts)
            if let level = MapRules.borderLevel(own) { borders.note(level, try block.members(of: relation)) }
            guard own["type"] == "multipolygon", areas.count < Self.mostKept, let style = MapRules.style(ofArea: own)
            else { continue }
            let parts = try block.members(of: relation).filter { $0.part == .outer || $0.part == .inner }
            guard parts.count + members.count <= Self.mostMembers else { continue }
            members += parts
            areas.append(Area(style: style, names: own.names, members: members.count - parts.count..<members.count))
        }
    }

    /// Keeps a node of the block, and draws it if it is a place with a name.
    func note(_ node: OSMNode, in block: OSMBlock) throws(PlacesError) {
        guard let point = GridPoint(node) else { return }
        try PlacesError.converting("the map") { () throws(SystemError) in try nodes.add(node.id, point) }
        guard !node.tags.isEmpty, let texts, texts.mayMatter(node.tags), points.count < Self.mostKept else { return }
        let tags = MapTags(node.tags, in: block, texts)
        guard let style = MapRules.style(ofPoint: tags) else { return }
        points.append(Point(style: style, names: tags.names, position: WorldPoint(point)))
    }

    /// Reads the ways and writes the archive; nil when there is nothing to draw, or `problem` says why not.
    /// - Parameters:
    ///   - limitBytes: all that is read may unpack to so much.
    ///   - look: called now and then; ends it by throwing.
    func write(
        to path: String, _ file: FileSource, limitBytes: UInt64, attribution: String,
        look: () throws(PlacesError) -> Void
    ) throws(PlacesError) -> PMTilesSummary? {
        try PlacesError.converting("the map") { () throws(SystemError) in try nodes.seal() }
        if nodes.isUnordered { problem = "its nodes are in no order; osmium sort brings them into it" }
        guard problem == nil, let ground = MapGround(nodes, extract: extract) else { return nil }
        var drawing: MapDrawing
        do throws(TileError) {
            drawing = try MapDrawing(ground.coverage, folder: folder, nodeCount: nodes.count)
        } catch .tooMany {
            // A few nodes that lie far apart are places, and no map.
            return nil
        } catch {
            throw PlacesError(error)
        }
        for point in points {
            try look()
            try drawing.add(TileShape(.points, [[point.position]]), point.style, point.names)
        }
        var reader = BlobReader(file, limitBytes: limitBytes)
        var found = MapMembers(members.map(\.id))
        for entry in wayBlobs where drawing.problem == nil {
            try look()
            let block = try OSMBlock(try reader.content(of: entry), entry.place)
            let texts = MapTexts(block)
            for way in block.ways {
                try look()
                try draw(way, block, texts, &found, &drawing)
            }
        }
        for area in areas {
            try look()
            try draw(area, found, &drawing)
        }
        for sea in ground.sea(found.coast.flatMap(lines), nodes) {
            try look()
            try drawing.add(sea, MapStyle(.sea, "sea", from: MapLayer.rules.zooms.lowerBound), [])
        }
        problem = drawing.problem
        guard problem == nil, !drawing.isEmpty else { return nil }
        return try drawing.write(to: path, attribution: attribution, look: look)
    }

    private func draw(
        _ way: PbfWay, _ block: OSMBlock, _ texts: MapTexts, _ found: inout MapMembers, _ drawing: inout MapDrawing
    ) throws(PlacesError) {
        let tags = try block.tags(way.keys, way.values)
        let ids = try block.runningSums(way.nodes)
        found.note(way.id, ids)
        let own = MapTags(tags, in: block, texts)
        if let border = borders.style(of: way.id, own) { try draw(line: ids, border, [], &drawing) }
        guard texts.mayMatter(tags) else { return }
        if own["natural"] == "coastline" { found.note(coast: ids) }
        let isClosed = ids.count > 3 && ids.first == ids.last
        guard let (style, isArea) = MapRules.style(ofWay: own, isClosed: isClosed) else { return }
        guard isArea else { return try draw(line: ids, style, own.names, &drawing) }
        var rings = MapRings()
        rings.add(outer: ids, ring)
        try drawing.add(rings.shape, style, own.names)
    }

    private func draw(
        line ids: [Int64], _ style: MapStyle, _ names: [TileFeature.Property], _ drawing: inout MapDrawing
    ) throws(PlacesError) {
        try drawing.add(TileShape(.lines, lines(ids)), style, names)
    }

    private func draw(_ area: Area, _ found: MapMembers, _ drawing: inout MapDrawing) throws(PlacesError) {
        let members = members[area.members]
        guard let outers = found.rings(of: members, .outer) else { return }
        guard let holes = found.rings(of: members, .inner) else { return }
        var rings = MapRings()
        for ids in outers { rings.add(outer: ids, ring) }
        for ids in holes { rings.add(hole: ids, ring) }
        try drawing.add(rings.shape, area.style, area.names)
    }

    /// The parts of a line of which the file has the nodes. What leaves an extract and comes back is two; so is what
    /// crosses the antimeridian.
    private func lines(_ ids: [Int64]) -> [[WorldPoint]] {
        var lines: [[WorldPoint]] = [[]]
        for id in ids {
            if let point = nodes.point(id) {
                lines[lines.count - 1].append(WorldPoint(point))
            } else if lines.last != [] {
                lines.append([])
            }
        }
        if lines.count > 1, ids.first == ids.last, let first = lines.first, first.first == lines.last?.last {
            lines[0] = lines.removeLast() + first.dropFirst()
        }
        return lines.flatMap(Antimeridian.parts)
    }

    /// Nil with a node that the file does not have: its edge is not known.
    private func ring(_ ids: [Int64]) -> [WorldPoint]? {
        let points = ids.dropLast().compactMap { nodes.point($0).map(WorldPoint.init) }
        return points.count == ids.count - 1 ? points : nil
    }
}

extension WorldPoint {
    init(_ point: GridPoint) {
        self.init(latitude: Double(point.latitude) / 1e7, longitude: Double(point.longitude) / 1e7)
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
