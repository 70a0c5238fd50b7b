import FoundationEssentials
import TestTools
import Testing
import VectorTiles

@testable import MapPicture

@Suite("P29 a picture of the map where a dataset has one")
struct TilePictureTests {
    private static let view = MapView(latitude: 47.5, longitude: 8.5, span: 0.008, width: 300, height: 200, scale: 1)

    /// A map of the land around a point in Europe, with a street, a park and a lake.
    private static func tiles(_ folder: TemporaryFolder, for view: MapView) throws -> MapTiles {
        func point(_ north: Double, _ east: Double) -> WorldPoint {
            WorldPoint(latitude: 47.5 + north / 1000, longitude: 8.5 + east / 1000)
        }
        func ring(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> TileShape {
            TileShape(.areas, [[point(north, west), point(north, east), point(south, east), point(south, west)]])
        }
        let rules = TileRules(
            zooms: 5...14, layers: ["coverage", "parks", "water", "streets"], coverageLayer: 0)
        var coverage = CoverageGrid(box: try #require(WorldBox(around: [point(-20, -20), point(20, 20)])))
        for north in -20...20 { for east in -20...20 { coverage.add(point(Double(north), Double(east))) } }
        coverage.finish()
        var writer = try TileWriter(rules, coverage: TileCoverage([coverage]), folder: folder.path)
        func thing(_ layer: UInt8, _ kind: String, _ name: String) -> TileFeature {
            TileFeature(layer: layer, properties: [.init("class", .text(kind)), .init("name", .text(name))])
        }
        try writer.add(ring(1, -6, 3, 6), from: 5) { _ in thing(1, "wood", "Wald") }
        try writer.add(ring(-3, -6, -1, 6), from: 5) { _ in thing(2, "water", "See") }
        try writer.add(TileShape(.lines, [[point(0, -20), point(0, 20)]]), from: 5) { _ in
            thing(3, "primary", "Seestrasse")
        }
        let path = folder.file("a.pmtiles")
        _ = try writer.write(to: path, metadata: PMTilesMetadata(attribution: "", layers: rules)) { _ in true }
        let file = try PMTilesFile(path: path)
        let set = MapTileSet(
            dataset: "zh", version: "1", attribution: "Us", zooms: 5...14,
            southWest: MapPoint(longitude: 8.48, latitude: 47.48), northEast: MapPoint(longitude: 8.52, latitude: 47.52)
        )
        return MapTiles(set, try view.tiles(of: set).map { (id: $0, bytes: try file.tile($0) ?? []) })
    }

    @Test("has its streets, parks and water, their names and its attribution")
    func picture() throws {
        let folder = TemporaryFolder()
        let tiles = try Self.tiles(folder, for: Self.view)
        let bare = try Samples.picture(Self.view)
        let drawn = try MapPicture(of: Self.view, Samples.data, Samples.font.get(), tiles: [tiles])
        #expect(drawn.attribution.hasSuffix("; Us") && !bare.attribution.contains("Us"))
        let pixels = try Pixels(png: drawn.png)
        // 200 points show 0.008 degrees: the middle of the wood is 50 points above the middle.
        #expect(pixels.colour(80, 60) == 0xcad9ae && pixels.colour(80, 140) == 0xc5dade)
        #expect(pixels.colour(20, 100) == 0xfbe2ad)
        #expect(drawn.labels.contains { $0.text == "Seestrasse" } && drawn.labels.contains { $0.text == "Wald" })
        let again = try MapPicture(of: Self.view, Samples.freshData, MapFont(), tiles: [tiles])
        #expect(drawn.png == again.png)
    }

    @Test("has no seam where two tiles meet")
    func seam() throws {
        let folder = TemporaryFolder()
        // Within the wood, across many tiles.
        let view = MapView(latitude: 47.502, longitude: 8.5, span: 0.0015, width: 1000, height: 200, scale: 1)
        let tiles = try Self.tiles(folder, for: view)
        #expect(view.tiles(of: tiles.set).count > 1)
        let pixels = try Pixels(
            png: MapPicture(of: view, Samples.data, Samples.font.get(), tiles: [tiles]).png)
        for x in 0..<1000 where abs(x - 500) > 60 { #expect(pixels.colour(x, 30) == 0xcad9ae, "\(x)") }
    }

    @Test("is drawn without a tile that is damaged")
    func damaged() throws {
        let folder = TemporaryFolder()
        let good = try Self.tiles(folder, for: Self.view)
        let bad = MapTiles(good.set, Self.view.tiles(of: good.set).map { (id: $0, bytes: [1, 2, 3]) })
        let drawn = try MapPicture(of: Self.view, Samples.data, Samples.font.get(), tiles: [bad])
        #expect(try Pixels(png: drawn.png).colour(80, 60) == 0xf6f0e4)
    }

    @Test("asks for a few tiles only, and for none far away or where the map is not")
    func plan() {
        func set(_ zooms: ClosedRange<Int>) -> MapTileSet {
            MapTileSet(
                dataset: "a", version: "1", attribution: "", zooms: zooms,
                southWest: MapPoint(longitude: -180, latitude: -85), northEast: MapPoint(longitude: 180, latitude: 85))
        }
        func view(_ latitude: Double, _ longitude: Double, _ span: Double) -> MapView {
            MapView(latitude: latitude, longitude: longitude, span: span, width: 1024, height: 1024, scale: 2)
        }
        for span in [0.001, 0.01, 0.1, 1, 2] {
            for (latitude, longitude) in [(0.0, 0.0), (60, 24), (-84, 179.99), (84.9, -180)] {
                let tiles = view(latitude, longitude, span).tiles(of: set(5...14))
                #expect((1...48).contains(tiles.count), "\(latitude) \(longitude) \(span): \(tiles.count)")
            }
        }
        #expect(view(0, 0, 1).tiles(of: set(14...14)).isEmpty)
        #expect(view(0, 0, 90).tiles(of: set(0...14)).isEmpty && view(90, 0, 1).tiles(of: set(0...14)).isEmpty)
    }

    @Test("has the colours of the web's map, and knows all that the table of styles names")
    func styles() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let sheet = try String(contentsOfFile: "\(root)/Web/styles/base.css", encoding: .utf8)
        // The first block is that of the day, the second that of the night.
        for (name, colour) in Palette.byName {
            let shades = try sheet.split(separator: "--map-\(name): #").dropFirst().map { text in
                Shade(try #require(UInt32(text.prefix(6), radix: 16)))
            }
            #expect(shades == [colour.day, colour.night], "\(name)")
        }
        for (name, colour) in Palette.marks {
            let plain = sheet.split(separator: "--\(name): #").dropFirst().map { String($0.prefix(6)) }
            let own = sheet.split(separator: "--map-\(name): #").dropFirst().map { String($0.prefix(6)) }
            let shades = (own.isEmpty ? plain : own).compactMap { UInt32($0, radix: 16).map { Shade($0) } }
            #expect(shades == [colour.day, colour.night], "\(name)")
        }
        let styles = try Samples.data.styles()
        #expect(Set(styles.marks.map(\.tint)).isSubset(of: Palette.marks.keys))
        #expect(styles.marks.allSatisfy { $0.icon == nil || styles.icons[$0.icon ?? ""] != nil })
        let named = styles.streets.flatMap { [$0.tint, $0.casing].compactMap(\.self) } + styles.areas.map(\.tint)
        #expect(Set(named).isSubset(of: Palette.byName.keys))
        #expect(styles.streets.contains { $0.name == "service" })
    }
}
