import VectorTiles

/// GeoJSON of outlines: each feature has its `layer`, "countries" or "lakes", and closed rings of longitude and
/// latitude. One has all rings of all countries; each lake is a feature of its own, its shore and those of its islands.
struct WorldOutlines: Decodable {
    struct Feature: Decodable {
        struct Properties: Decodable { let layer: String }
        struct Geometry: Decodable { let coordinates: [[[Double]]] }

        let properties: Properties
        let geometry: Geometry

        /// The first point of a ring is not repeated.
        var rings: [[WorldPoint]] {
            geometry.coordinates.map { ring in
                ring.dropLast().compactMap { position in
                    position.count < 2 ? nil : WorldPoint(latitude: position[1], longitude: position[0])
                }
            }
        }
    }

    private let features: [Feature]

    /// The rings of each feature of a layer.
    func rings(_ layer: String) -> [[[WorldPoint]]] {
        features.filter { $0.properties.layer == layer }.map(\.rings)
    }
}
