import VectorTiles

/// The tiles of a map that a picture shows, read.
struct TileMap {
    struct Tile {
        /// Its edge, closed.
        let corners: [MapPoint]
        /// Where it has data.
        let cover: [MapShape]
        /// What is drawn there, by the names of layers.
        var layers: [String: [MapShape]]
        /// What has a name, a number or a direction.
        var named: [String: [MapShape]]
    }

    /// How much may be in the tiles of one picture; what is beyond that is left out.
    private static let maximumNumbers = 8 << 20

    let attribution: String
    private(set) var tiles: [Tile] = []

    /// A tile that is damaged is left out.
    init(_ found: MapTiles, _ data: MapData) throws(MapProblem) {
        attribution = found.set.attribution
        let schema = found.set.isForeign ? try data.schema() : nil
        var numbers = 0
        func read(_ id: TileID, _ bytes: [UInt8]) -> Tile? {
            let read = data.readStreets.read(bytes, at: id, of: found.set.dataset) { Tile($0, id, schema) }
            numbers += read?.numberCount ?? 0
            return read?.value
        }
        for (id, bytes) in found.tiles where numbers < Self.maximumNumbers {
            if let tile = read(id, bytes) { tiles.append(tile) }
        }
        for (id, bytes) in found.details where numbers < Self.maximumNumbers {
            if let tile = read(id, bytes) { add(details: tile, id) }
        }
    }

    /// Named things that only a close look needs: they belong to the tile that they lie in.
    private mutating func add(details tile: Tile, _ id: TileID) {
        guard let index = tiles.firstIndex(where: { $0.edge.contains(id.middle) }) else { return }
        for (layer, shapes) in tile.named { tiles[index].named[layer, default: []] += shapes }
    }
}

extension TileMap.Tile {
    private static let pointLayers: Set<String> = ["places", "marks", "numbers"]
    private static let longestName = 200

    /// - Parameter schema: of a tile that is another's.
    fileprivate init(_ content: TileContent, _ id: TileID, _ schema: TileSchema?) {
        var (layers, named): ([String: [MapShape]], [String: [MapShape]]) = ([:], [:])
        for item in content.items {
            guard let (own, facts) = Self.own(item, schema) else { continue }
            let name = Self.name(item, own.layer, isForeign: schema != nil)
            let isTurned = schema?.isReverse(item) ?? false
            let shapes = MapShape.shapes(item, own, name, facts, isTurned: isTurned)
            if !own.isName, !Self.pointLayers.contains(own.layer) { layers[own.layer, default: []] += shapes }
            if !name.isEmpty || !facts.number.isEmpty || facts.isOneWay { named[own.layer, default: []] += shapes }
        }
        corners = id.corners
        cover = layers["coverage"] ?? (schema == nil ? [] : [id.corners].compactMap(MapShape.init(square:)))
        (self.layers, self.named) = (layers, named)
    }

    private static func own(_ item: TileContent.Item, _ schema: TileSchema?) -> (TileSchema.Own, MapShape.Facts)? {
        if let schema, let own = schema.own(item) { return (own, schema.facts(item, own)) }
        guard schema == nil else { return nil }
        var facts = MapShape.Facts()
        facts.number = item.text("ref")
        facts.way = item.has("tunnel") ? .tunnel : item.has("bridge") ? .bridge : .ground
        facts.isOneWay = item.has("oneway")
        facts.height = item.number("ele") ?? Double(item.text("ele"))
        facts.population = item.number("population") ?? 0
        let layer = item.layer == "sea" ? "water" : item.layer
        return (TileSchema.Own(layer: layer, kind: item.text("class")), facts)
    }

    /// The name in letters that the typeface has.
    private static func name(_ item: TileContent.Item, _ layer: String, isForeign: Bool) -> String {
        let keys =
            layer == "numbers" && isForeign
            ? ["housenumber", "addr_housenumber"] : ["name", "name:latin", "name_en", "name:en", "name_int"]
        for key in keys {
            let name = item.text(key)
            if !name.isEmpty, name.utf8.count <= longestName, MapFont.has(name) { return name }
        }
        return ""
    }
}

extension TileID {
    fileprivate var middle: MapPoint {
        let point = WorldPoint(x: (box.west + box.east) / 2, y: (box.north + box.south) / 2)
        return MapPoint(longitude: point.longitude, latitude: point.latitude)
    }

    fileprivate var corners: [MapPoint] {
        let (low, high) = (WorldPoint(x: box.west, y: box.north), WorldPoint(x: box.east, y: box.south))
        return [(low, high), (low, low), (high, low), (high, high), (low, high)].map { across, along in
            MapPoint(longitude: across.longitude, latitude: along.latitude)
        }
    }
}
