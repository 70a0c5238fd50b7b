import Compression
import Files
import FoundationEssentials
import TestSupport
import TestTools
import Testing
import VectorTiles

@testable import Gateway

@Suite("P75 the operator's base map", .timeLimit(.minutes(3)))
struct BasemapTests {
    private struct Settings: Decodable {
        struct Map: Decodable, Equatable {
            let version: String
            let attribution: String
            let box: [Double]
            let minimumZoom: Int
            let maximumZoom: Int
            let hasDetails: Bool
        }
        let basemap: Map?
    }

    /// An archive with a park at the equator.
    private static func archive(_ folder: TemporaryFolder, hasDetails: Bool = false) throws -> String {
        let rules = TileRules(zooms: 0...8, layers: ["coverage", "parks"], coverageLayer: 0)
        let corners = [(1.0, 1.0), (1, 2), (0, 2), (0, 1)].map { WorldPoint(latitude: $0.0, longitude: $0.1) }
        var coverage = CoverageGrid(box: try #require(WorldBox(around: corners)))
        for step in 0..<1600 {
            coverage.add(WorldPoint(latitude: Double(step / 40) / 40, longitude: 1 + Double(step % 40) / 40))
        }
        coverage.finish()
        var writer = try TileWriter(rules, coverage: TileCoverage([coverage]), folder: folder.path)
        try writer.add(TileShape(.areas, [corners]), from: 0) { _ in
            TileFeature(layer: 1, properties: [.init("class", .text("park"))])
        }
        if hasDetails {
            try writer.add(TileShape(.areas, [corners]), from: 9) { _ in
                TileFeature(layer: 1, properties: [.init("class", .text("pitch"))])
            }
        }
        let metadata = PMTilesMetadata(
            attribution: "<a href=\"https://example.org\">&copy; Us</a> &amp; all", layers: rules)
        _ = try writer.write(to: folder.file("a.pmtiles"), metadata: metadata) { _ in true }
        return folder.file("a.pmtiles")
    }

    private func settings(_ gateway: RunningGateway) async throws -> Settings {
        try JSONDecoder().decode(Settings.self, from: Data(try await gateway.http.ask("GET", "/settings.json").body))
    }

    @Test("is given tile by tile, an edition for long, to everyone who gets the pages")
    func tiles() async throws {
        let folder = TemporaryFolder()
        let path = try Self.archive(folder)
        try await RunningGateway.with(isOpen: false, settings: ["--basemap", path]) { gateway in
            let map = try #require(try await settings(gateway).basemap)
            #expect(map.attribution == "© Us & all" && map.minimumZoom == 0 && map.maximumZoom == 8)
            #expect(map.box.count == 4 && map.box[0] < 1 && map.box[2] > 2)
            let plain = try await gateway.http.ask("GET", "/basemap/8/128/127")
            #expect(plain.status == 200 && plain["content-type"] == "application/vnd.mapbox-vector-tile")
            #expect(plain["cache-control"] == "public, no-cache")
            let tile = try #require(TileID(zoom: 8, x: 128, y: 127))
            #expect(try TileContent(plain.body, at: tile).items.contains { $0.text("class") == "park" })
            let named = try await gateway.http.ask("GET", "/basemap/8/128/127?v=\(map.version)")
            #expect(named["cache-control"] == "public, max-age=31536000, immutable")
            #expect(try await gateway.http.ask("GET", "/basemap/8/0/0").status == 204)
            for path in ["/basemap/8/256/0", "/basemap/-1/0/0", "/basemap/8/1", "/basemap/a/b/c", "/basemap/99/0/0"] {
                #expect(try await gateway.http.ask("GET", path).status == 404, "\(path)")
            }
            #expect(try await gateway.http.ask("POST", "/basemap/8/0/0")["allow"] == "GET, HEAD")
        }
    }

    @Test("one that has a level of details, as ours do, says so")
    func details() async throws {
        for hasDetails in [true, false] {
            let folder = TemporaryFolder()
            let path = try Self.archive(folder, hasDetails: hasDetails)
            try await RunningGateway.with(isOpen: false, settings: ["--basemap", path]) { gateway in
                let map = try #require(try await settings(gateway).basemap)
                #expect(map.maximumZoom == 8 && map.hasDetails == hasDetails)
                let status = try await gateway.http.ask("GET", "/basemap/9/257/255").status
                #expect(status == (hasDetails ? 200 : 204))
            }
        }
    }

    @Test("the bundled maps are given likewise, by the editions that their index names")
    func bundled() async throws {
        struct Index: Decodable {
            struct Tiles: Decodable { let edition: String }
            struct Map: Decodable {
                let name: String
                let tiles: Tiles?
            }
            let sets: [Map]
        }
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        try await RunningGateway.with(isOpen: false, settings: ["--map", "\(root)/Data/map"]) { gateway in
            let bytes = try await gateway.http.ask("GET", "/map/index.json").body
            let sets = try JSONDecoder().decode(Index.self, from: Data(bytes)).sets
            let edition = try #require(sets.first { $0.name == "helsinki" }?.tiles?.edition)
            let answer = try await gateway.http.ask("GET", "/map/helsinki/14/9327/4742?v=\(edition)")
            #expect(answer.status == 200 && answer["cache-control"] == "public, max-age=31536000, immutable")
            let tile = try #require(TileID(zoom: 14, x: 9327, y: 4742))
            let items = try TileContent(answer.body, at: tile).items
            #expect(items.contains { $0.text("name") == "Mannerheimintie" })
            #expect(try await gateway.http.ask("GET", "/map/helsinki/14/0/0").status == 204)
            #expect(try await gateway.http.ask("GET", "/map/none/0/0/0").status == 404)
        }
    }

    @Test("is nothing where none is set")
    func none() async throws {
        try await RunningGateway.with(settings: []) { gateway in
            let map = try await settings(gateway).basemap
            #expect(map == nil)
            #expect(try await gateway.http.ask("GET", "/basemap/0/0/0").status == 404)
        }
    }

    @Test("is refused with the reason when it is damaged, or is none")
    func damaged() async throws {
        let folder = TemporaryFolder()
        let whole = try SmallFile.read(try Self.archive(folder), limit: 1 << 20)
        let files: [(bytes: [UInt8], says: String)] = [
            ([], "it is no PMTiles archive of version 3"), (Array("a picture".utf8), "it is no PMTiles archive"),
            (Array(whole.dropLast(100)), "was it cut short?"),
            (Array(whole[..<99]) + [4] + whole[100...], "it has no vector tiles in gzip"),
        ]
        for (index, file) in files.enumerated() {
            let path = folder.file("\(index).pmtiles")
            try DiskFile.replace(path, with: file.bytes)
            let error = await #expect(throws: (any Error).self) {
                try await RunningGateway.with(settings: ["--basemap", path]) { _ in }
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("--basemap can't be shown") && text.contains(file.says), "\(text)")
        }
    }
}
