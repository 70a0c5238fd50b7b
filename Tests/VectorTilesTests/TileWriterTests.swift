import Compression
import BaseContracts
import TestTools
import Testing
import Wire

@testable import VectorTiles

@Suite("Tiles of features")
struct TileWriterTests {
    private static let rules = TileRules(zooms: 2...6, layers: ["coverage", "parks", "streets"], coverageLayer: 0)

    /// A park of 10 by 10 degrees at the equator with a lake, and a street through it.
    private static func write(_ path: String, _ folder: TemporaryFolder) throws -> PMTilesFile {
        func corner(_ latitude: Double, _ longitude: Double) -> WorldPoint {
            WorldPoint(latitude: latitude, longitude: longitude)
        }
        let park = [corner(10, 0), corner(10, 10), corner(0, 10), corner(0, 0)]
        let lake = [corner(4, 4), corner(4, 6), corner(6, 6), corner(6, 4)]
        var coverage = CoverageGrid(box: try #require(WorldBox(around: park)))
        for latitude in 0...40 {
            for longitude in 0...40 { coverage.add(corner(Double(latitude) / 4, Double(longitude) / 4)) }
        }
        coverage.finish()
        var writer = try TileWriter(rules, coverage: TileCoverage([coverage]), folder: folder.path)
        let green = TileFeature(layer: 1, properties: [.init("class", .text("park")), .init("name", .text("Öland"))])
        try writer.add(TileShape(.areas, Rings.nested(outers: [park], holes: [lake])), from: 2) { _ in green }
        for north in [3.0, 7.0] {
            let street = [corner(north, -30), corner(north, 30)]
            try writer.add(TileShape(.lines, [street]), from: 5) {
                TileFeature(layer: 2, properties: $0 == 6 ? [.init("rank", .number(300))] : [])
            }
        }
        _ = try writer.write(to: path, metadata: PMTilesMetadata(attribution: "", layers: rules)) { _ in true }
        return try PMTilesFile(path: path)
    }

    private static func tile(_ file: PMTilesFile, _ zoom: Int, _ x: Int, _ y: Int) throws -> VectorTile? {
        guard let packed = try file.tile(try #require(TileID(zoom: zoom, x: x, y: y))) else { return nil }
        guard case .bytes(let bytes) = Gzip.unpack(packed, limit: 1 << 20) else { return nil }
        return try VectorTile(packed: bytes)
    }

    @Test("no cell is covered near the edge where the data was cut")
    func cut() throws {
        let box = WorldBox(west: 0.5, north: 0.5, east: 0.52, south: 0.52)
        var coverage = CoverageGrid(box: box)
        for step in 0..<40_000 {
            coverage.add(WorldPoint(x: 0.5 + Double(step / 200) / 10_000, y: 0.5 + Double(step % 200) / 10_000))
        }
        var free = coverage
        free.finish()
        coverage.finish(within: box)
        let (wide, tight) = (try #require(free.coveredBox), try #require(coverage.coveredBox))
        #expect(wide.contains(box) && box.contains(tight) && tight.east - tight.west > 0.018)
        // Another place's edge is none.
        var other = free
        other.finish(within: WorldBox(west: 0, north: 0, east: 0.1, south: 0.1))
        #expect(other.coveredBox != nil)
    }

    @Test("have each feature from its zoom level on, in the tiles that it is in, with what is known of it")
    func features() throws {
        let folder = TemporaryFolder()
        let file = try Self.write(folder.file("a.pmtiles"), folder)
        let far = try #require(try Self.tile(file, 2, 2, 1))
        #expect(far.layers.map(\.name) == ["coverage", "parks"])
        let park = far.layers[1]
        #expect(park.keys == ["class", "name"] && park.values.map(\.text) == ["park", "Öland"] && park.extent == 4096)
        #expect(park.features.count == 1 && park.features[0].type == 3)
        // An outer ring of four corners, and a hole: two moves, two closes.
        #expect(park.features[0].geometry.filter { $0 == 9 }.count >= 2)

        let near = try #require(try Self.tile(file, 6, 32, 31))
        #expect(near.layers.map(\.name) == ["coverage", "parks", "streets"])
        let streets = near.layers[2]
        #expect(streets.extent == 8192 && streets.values.map(\.number) == [300])
        // Two that are alike are one feature.
        #expect(streets.features.count == 1)
        #expect(try Self.tile(file, 5, 16, 15)?.layers.last?.keys == [])
    }

    @Test("are none where there is no data, even if a feature goes there")
    func outside() throws {
        let folder = TemporaryFolder()
        let file = try Self.write(folder.file("a.pmtiles"), folder)
        #expect(try Self.tile(file, 6, 36, 31) == nil && Self.tile(file, 1, 1, 0) == nil)
        #expect(file.header.minimumZoom == 2 && file.header.maximumZoom == 6)
        // The area with data, and a little more.
        let degrees = file.header.box.map { Double($0) / 1e7 }
        #expect((-3..<0).contains(degrees[0]) && (10..<14).contains(degrees[2]))
    }

    @Test("are the same bytes each time")
    func same() throws {
        let folder = TemporaryFolder()
        let file = try Self.write(folder.file("a.pmtiles"), folder)
        let again = try Self.write(folder.file("b.pmtiles"), folder)
        for number in UInt64(0)..<6000 {
            let id = try #require(TileID(number: number))
            #expect(try file.tile(id) == again.tile(id))
        }
    }
}
