import VectorTiles

/// GeoJSON of outlines: each feature has its `layer`, "land", "countries" or "lakes", and closed rings of longitude and
/// latitude. One has all shores of the sea, one all rings of all countries; each lake is a feature of its own, its
/// shore and those of its islands. "regions" have lines instead, "towns" a line of one point.
struct WorldOutlines: Decodable {
    struct Feature: Decodable {
        struct Properties: Decodable {
            let layer: String
            /// Of a town.
            let name: String?
            let population: UInt64?
            /// The zoom level from which on it is shown, of tiles that are drawn 256 pixels wide.
            let from: Int?
        }
        struct Geometry: Decodable { let coordinates: [[[Double]]] }

        let properties: Properties
        let geometry: Geometry

        /// The first point of a ring is not repeated.
        var rings: [[WorldPoint]] { lines.map { Array($0.dropLast()) } }

        var lines: [[WorldPoint]] {
            geometry.coordinates.map { line in
                line.compactMap { position in
                    position.count < 2 ? nil : WorldPoint(latitude: position[1], longitude: position[0])
                }
            }
        }
    }

    private let features: [Feature]

    var towns: [WorldTown] {
        features.filter { $0.properties.layer == "towns" }.compactMap { feature in
            guard let position = feature.geometry.coordinates.first?.first, position.count > 1,
                let name = feature.properties.name, let from = feature.properties.from
            else { return nil }
            let point = WorldPoint(latitude: position[1], longitude: position[0])
            return WorldTown(name: name, population: feature.properties.population ?? 0, from: from, point: point)
        }
    }

    /// The lines of all features of a layer.
    func lines(_ layer: String) -> [[WorldPoint]] {
        features.filter { $0.properties.layer == layer }.flatMap(\.lines)
    }

    /// The rings of each feature of a layer.
    func rings(_ layer: String) -> [[[WorldPoint]]] {
        features.filter { $0.properties.layer == layer }.map(\.rings)
    }
}

/// A town whose name is written.
struct WorldTown {
    let name: String
    let population: UInt64
    /// The zoom level from which on it is shown, of tiles that are drawn 256 pixels wide.
    let from: Int
    let point: WorldPoint
}
