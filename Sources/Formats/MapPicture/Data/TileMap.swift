import VectorTiles

/// The tiles of a dataset's map that a picture shows, read.
struct TileMap {
    struct Tile {
        /// Its edge, closed.
        let corners: [MapPoint]
        /// Where it has data.
        let cover: [MapShape]
        /// What is drawn there, by the names of layers.
        let layers: [String: [MapShape]]
    }

    /// Classes of streets whose names come first.
    private static let mainStreets: Set<String> = ["motorway", "trunk", "primary", "secondary", "tertiary"]

    let attribution: String
    let tiles: [Tile]

    /// A tile that is damaged is left out.
    init(_ found: MapTiles) {
        attribution = found.set.attribution
        tiles = found.tiles.compactMap { id, bytes in
            guard let content = try? TileContent(packed: bytes, at: id) else { return nil }
            var layers: [String: [MapShape]] = [:]
            for item in content.items { layers[Self.layer(item), default: []] += MapShape.shapes(item) }
            return Tile(corners: id.corners, cover: layers["coverage"] ?? [], layers: layers)
        }
    }

    private static func layer(_ item: TileContent.Item) -> String {
        switch item.layer {
        case "sea": "water"
        // What runs in a tunnel is not drawn.
        case "streets" where item.has("tunnel"), "rails" where item.has("tunnel"): "tunnels"
        case "streets": mainStreets.contains(item.text("class")) ? "streets-main" : "streets-minor"
        default: item.layer
        }
    }
}

extension TileID {
    fileprivate var corners: [MapPoint] {
        let (low, high) = (WorldPoint(x: box.west, y: box.north), WorldPoint(x: box.east, y: box.south))
        return [(low, high), (low, low), (high, low), (high, high), (low, high)].map { across, along in
            MapPoint(longitude: across.longitude, latitude: along.latitude)
        }
    }
}

extension MapShape {
    /// Longer steps than this, in degrees, are divided: on the globe they are no straight lines.
    private static let longestStep = 2.0

    /// Areas one by one, each with its holes.
    ///
    /// - Parameter isDivided: whether long steps are divided.
    static func shapes(_ item: TileContent.Item, isDivided: Bool = false) -> [MapShape] {
        let isArea = item.shape.kind == .areas
        var groups: [[[MapPoint]]] = []
        for part in item.shape.parts {
            var line = part.map { MapPoint(longitude: $0.longitude, latitude: $0.latitude) }
            if isArea, let first = line.first { line.append(first) }
            if isDivided { line = divided(line) }
            if isArea, !groups.isEmpty, Rings.area(part) < 0 {
                groups[groups.count - 1].append(line)
            } else {
                groups.append([line])
            }
        }
        return groups.compactMap {
            MapShape(layer: item.layer, kind: item.text("class"), name: item.text("name"), isArea: isArea, rings: $0)
        }
    }

    private static func divided(_ line: [MapPoint]) -> [MapPoint] {
        var points = Array(line.prefix(1))
        for (a, b) in zip(line, line.dropFirst()) {
            let (east, north) = (b.longitude - a.longitude, b.latitude - a.latitude)
            let steps = (max(abs(east), abs(north)) / longestStep).rounded(.up)
            for step in stride(from: 1, to: steps, by: 1) {
                let share = step / steps
                points.append(MapPoint(longitude: a.longitude + share * east, latitude: a.latitude + share * north))
            }
            points.append(b)
        }
        return points
    }
}
