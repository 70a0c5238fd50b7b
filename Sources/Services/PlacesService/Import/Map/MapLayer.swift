import VectorTiles

/// The layers of a dataset's tiles, in the order in which they are drawn.
enum MapLayer: UInt8, CaseIterable {
    /// Which part of the tile has data.
    case coverage
    case parks, sea, water, waterways, squares, buildings, streets, rails, borders
    /// Names of towns and their parts.
    case places

    static let rules = TileRules(
        zooms: 5...14, layers: allCases.map { "\($0)" }, coverageLayer: MapLayer.coverage.rawValue)
}

/// How a thing is drawn: its layer, its class there, and from which zoom level on.
struct MapStyle: Equatable {
    let layer: MapLayer
    let name: String
    let firstZoom: Int
    /// The first zoom level that has its name.
    var namedFrom = MapLayer.rules.zooms.upperBound
    /// Whether it is seen through the ground only.
    var isTunnel = false
    /// People who live there, by which names are chosen.
    var population: UInt64 = 0

    init(
        _ layer: MapLayer, _ name: String, from firstZoom: Int, namedFrom: Int = MapLayer.rules.zooms.upperBound
    ) {
        self.layer = layer
        self.name = name
        self.firstZoom = firstZoom
        self.namedFrom = namedFrom
    }

    /// As a feature of a tile.
    func feature(names: [TileFeature.Property], zoom: Int) -> TileFeature {
        var properties = [TileFeature.Property("class", .text(name))]
        if isTunnel { properties.append(TileFeature.Property("tunnel", .number(1))) }
        if population > 0 { properties.append(TileFeature.Property("population", .number(population))) }
        return TileFeature(layer: layer.rawValue, properties: zoom >= namedFrom ? properties + names : properties)
    }
}
