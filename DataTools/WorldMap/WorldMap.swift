import Bytes
import VectorTiles

/// The world's land, lakes, coasts, borders and towns as tiles. Areas are filled, and only lines are drawn along: so no
/// coast runs where a tile cuts an area.
struct WorldMap {
    private enum Layer: UInt8, CaseIterable { case coverage, land, lakes, coasts, borders, places }

    /// A tile is drawn 512 pixels wide, so that few are needed. Lines of the last level are within two thirds of a
    /// pixel where they are drawn twice as large, at zoom 10.
    private static let rules = TileRules(
        zooms: 0...8, layers: Layer.allCases.map { "\($0)" }, coverageLayer: Layer.coverage.rawValue, pixels: 512,
        tolerance: 0.85, lastTolerance: 0.33, extent: 2048)
    /// How far beyond the antimeridian the other side is drawn as well, in widths of the world.
    private static let overlap = 0.05

    private let land: Outlines
    private let borders: TileShape
    private let lakes: [[[WorldPoint]]]
    private let regions: [[WorldPoint]]
    private let towns: [WorldTown]

    /// The first level with lines between regions of a country.
    private static let regionsFrom = 3

    init(_ outlines: WorldOutlines) {
        land = Outlines(outlines.rings("land").flatMap(\.self))
        borders = Outlines(outlines.rings("countries").flatMap(\.self)).borders
        lakes = outlines.rings("lakes")
        regions = outlines.lines("regions")
        towns = outlines.towns
    }

    func write(to path: String) throws {
        let folder = path.split(at: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var writer = try TileWriter(Self.rules, coverage: .world, folder: folder.isEmpty ? "." : folder)
        try Self.add(land.land, .land, to: &writer)
        try Self.add(land.coasts, .coasts, "land", to: &writer)
        try Self.add(borders, .borders, "country", to: &writer)
        try Self.add(
            TileShape(.lines, regions), .borders, "region", from: Self.regionsFrom, to: &writer)
        for lake in lakes {
            let area = Rings.nested(outers: Array(lake.prefix(1)), holes: Array(lake.dropFirst()))
            try Self.add(TileShape(.areas, area), .lakes, to: &writer)
            try Self.add(TileShape(.lines, area.map { $0 + $0.prefix(1) }), .coasts, "lake", to: &writer)
        }
        for town in towns { try Self.add(town, to: &writer) }
        let metadata = PMTilesMetadata(attribution: "Natural Earth; GSHHG", layers: Self.rules)
        _ = try writer.write(to: path, metadata: metadata) { _ in true }
    }

    /// Adds a town to the levels that show it, of tiles twice as wide as those that its own is counted in.
    private static func add(_ town: WorldTown, to writer: inout TileWriter) throws {
        let feature = TileFeature(
            layer: Layer.places.rawValue,
            properties: [
                TileFeature.Property("name", .text(town.name)),
                TileFeature.Property("population", .number(town.population)),
                TileFeature.Property("from", .number(UInt64(town.from))),
            ])
        let first = min(max(town.from - 1, rules.zooms.lowerBound), rules.zooms.upperBound)
        try writer.add(TileShape(.points, [[town.point]]), from: first) { _ in feature }
    }

    /// Adds a shape, and what of it is seen beyond the antimeridian.
    private static func add(
        _ shape: TileShape, _ layer: Layer, _ name: String = "", from first: Int = 0, to writer: inout TileWriter
    ) throws {
        let properties = name.isEmpty ? [] : [TileFeature.Property("class", .text(name))]
        let feature = TileFeature(layer: layer.rawValue, properties: properties)
        let around = WorldBox(west: -overlap, north: -1, east: 1 + overlap, south: 2)
        for turn in [0.0, -1, 1] {
            let turned = TileShape(
                shape.kind, shape.parts.map { $0.map { WorldPoint(x: $0.x + turn, y: $0.y) } })
            let seen = turn == 0 ? turned : turned.clipped(to: around)
            if !seen.isEmpty { try writer.add(seen, from: first) { _ in feature } }
        }
    }
}
