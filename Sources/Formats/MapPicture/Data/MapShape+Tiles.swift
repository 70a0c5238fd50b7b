import VectorTiles

extension MapShape {
    /// Longer steps than this, in degrees, are divided: on the globe they are no straight lines.
    private static let longestStep = 2.0

    /// The world's lines, as its tiles have them.
    static func world(_ item: TileContent.Item) -> [MapShape] {
        var facts = Facts()
        facts.population = item.number("population") ?? 0
        facts.from = item.number("from") ?? 0
        return lines(item, isDivided: true).compactMap {
            MapShape(
                layer: item.layer, kind: item.text("class"), name: item.text("name"),
                isArea: item.shape.kind == .areas, rings: $0, facts: facts)
        }
    }

    /// Points and lines of a thing, and its areas one by one, each with its holes.
    static func shapes(
        _ item: TileContent.Item, _ own: TileSchema.Own, _ name: String, _ facts: Facts, isTurned: Bool
    ) -> [MapShape] {
        lines(item, isDivided: false).compactMap { rings in
            MapShape(
                layer: own.layer, kind: own.kind, name: name, isArea: item.shape.kind == .areas,
                rings: isTurned ? rings.map { $0.reversed() } : rings, facts: facts)
        }
    }

    /// All of a tile, by its edge.
    init?(square corners: [MapPoint]) {
        self.init(layer: "coverage", kind: "", name: "", isArea: true, rings: [corners])
    }

    private static func lines(_ item: TileContent.Item, isDivided: Bool) -> [[[MapPoint]]] {
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
        return groups
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
