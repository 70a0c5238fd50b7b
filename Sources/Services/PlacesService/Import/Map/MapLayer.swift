import VectorTiles

/// The layers of a dataset's tiles, in the order in which they are drawn.
enum MapLayer: UInt8, CaseIterable {
    /// Which part of the tile has data.
    case coverage
    case parks, sea, water, waterways, squares, buildings, streets, rails, borders
    /// Names of towns and their parts.
    case places
    /// What people look for by its name, and peaks; and the numbers of houses. Points.
    case marks, numbers

    /// The level of details, which only a close look needs: other programs don't know of it, and see the rest.
    static let detailZoom = rules.zooms.upperBound + 1

    /// Whether it is part of the ground: marks alone are no map.
    var isGround: Bool { self != .marks && self != .numbers }

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
    var isBridge = false
    /// In which direction alone one may drive.
    var direction: Direction?
    /// The number of a road, and the first zoom level that has it.
    var number: Number?
    /// Of a peak, as it is written in the data.
    var height: String?
    /// People who live there, by which names are chosen.
    var population: UInt64 = 0

    /// Against it: the line is turned before it is drawn.
    enum Direction { case along, against }

    struct Number: Equatable {
        let text: String
        let firstZoom: Int
    }

    private static let bridgesFrom = 13

    init(
        _ layer: MapLayer, _ name: String, from firstZoom: Int, namedFrom: Int = MapLayer.rules.zooms.upperBound
    ) {
        self.layer = layer
        self.name = name
        self.firstZoom = firstZoom
        self.namedFrom = namedFrom
    }

    /// As a feature of a tile. Of a house nothing is written but its number, which many have in common.
    func feature(names: [TileFeature.Property], zoom: Int) -> TileFeature {
        if layer == .numbers {
            return TileFeature(layer: layer.rawValue, properties: [TileFeature.Property("name", .text(name))])
        }
        var properties = [TileFeature.Property("class", .text(name))]
        if isTunnel { properties.append(TileFeature.Property("tunnel", .number(1))) }
        if isBridge, zoom >= Self.bridgesFrom { properties.append(TileFeature.Property("bridge", .number(1))) }
        if direction != nil, zoom == MapLayer.rules.zooms.upperBound { properties.append(.oneWay) }
        if let number, zoom >= number.firstZoom {
            properties.append(TileFeature.Property("ref", .text(number.text)))
        }
        if let height { properties.append(TileFeature.Property("ele", .text(height))) }
        if population > 0 { properties.append(TileFeature.Property("population", .number(population))) }
        return TileFeature(layer: layer.rawValue, properties: zoom >= namedFrom ? properties + names : properties)
    }
}
