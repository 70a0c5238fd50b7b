import Compression
import PlaceContracts
import Files
import RPC
import TestTools
import Testing
import VectorTiles
import Wire

@testable import PlacesService

@Suite("P75 The map of an imported .osm.pbf")
struct MapImportTests {
    /// A tile around a point, unpacked; nil where there is none.
    static func tile(
        _ service: TestService, _ zoom: Int, _ latitude: Double, _ longitude: Double, of dataset: String = "test"
    ) async throws -> VectorTile? {
        let id = TileID(WorldPoint(latitude: latitude, longitude: longitude), zoom: zoom)
        let answer = try await service.client.getTile(
            GetTileRequest(dataset: dataset, zoom: UInt32(zoom), x: UInt32(id.x), y: UInt32(id.y)), TestService.soon)
        guard !answer.tile.isEmpty else { return nil }
        guard case .bytes(let bytes) = Compression.Gzip.unpack(answer.tile, limit: 4 << 20) else { throw NotRefused() }
        return try VectorTile(packed: bytes)
    }

    private func datasets(_ service: TestService) async throws -> [PlaceContracts.Dataset] {
        try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets
    }

    @Test("has streets, rails, water, coast, parks, buildings and towns by class, with their names in all languages")
    func layers() async throws {
        try await TestService.run { service in
            let story = try await service.load(MapFile.town.bytes, name: "town.osm.pbf")
            // The town, the café, the park and the streets.
            #expect(story.badRows.isEmpty && story.summary?.dataset?.placeCount == 3 + 11)
            let tile = try #require(try await Self.tile(service, 14, 10.004, 20.004))
            let layers = Dictionary(uniqueKeysWithValues: tile.layers.map { ($0.name, $0) })
            #expect(
                Set(layers.keys) == [
                    "coverage", "parks", "sea", "waterways", "buildings", "streets", "rails", "places",
                ])
            let streets = try #require(layers["streets"])
            #expect(streets.keys == ["class", "name", "name:fi"] && streets.features.count == 11)
            let values = Set(streets.values.compactMap(\.text))
            #expect(values.isSuperset(of: ["primary", "residential", "Street 3", "Katu 3"]))
            let places = try #require(layers["places"])
            #expect(
                places.values == [
                    VectorTileValue(text: "town"), VectorTileValue(number: 900), VectorTileValue(text: "Stad"),
                    VectorTileValue(text: "Kaupunki"),
                ])
            // Far away nothing is left but what is large.
            let far = try #require(try await Self.tile(service, 9, 10.004, 20.004))
            #expect(
                Set(far.layers.map(\.name)).isSubset(of: ["coverage", "sea", "streets", "rails", "waterways", "places"])
            )
            #expect(try await Self.tile(service, 14, 40, 20) == nil)
        }
    }

    @Test("has numbers of roads and houses, directions, bridges, marks with their heights, and ferries")
    func details() async throws {
        var file = MapFile.town
        func road(_ north: Double, _ tags: MapFile.Tags) {
            file.way([(north, 20.001), (north, 20.002)], tags)
        }
        road(10.0022, [("highway", "motorway"), ("ref", "A 7")])
        road(10.0024, [("highway", "residential"), ("oneway", "-1"), ("name", "Back")])
        road(10.0026, [("highway", "secondary"), ("oneway", "no"), ("bridge", "viaduct"), ("name", "Over")])
        road(10.0028, [("route", "ferry")])
        file.node(10.003, 20.003, [("natural", "peak"), ("name", "Top"), ("ele", "812")])
        file.node(10.0031, 20.003, [("natural", "peak"), ("ele", "700")])
        file.node(10.0032, 20.003, [("shop", "bicycle"), ("name", "Bikes"), ("addr:housenumber", "12")])
        file.way(
            [(10.0034, 20.003), (10.0034, 20.0034), (10.0038, 20.0034), (10.0038, 20.003)], closed: true,
            [("building", "yes"), ("addr:housenumber", "12"), ("tourism", "museum"), ("name", "Art")])
        let id = TileID(WorldPoint(latitude: 10.004, longitude: 20.004), zoom: 14)
        try await TestService.run { [file] service in
            try await service.load(file.bytes, name: "a.osm.pbf")
            let tile = try #require(try await Self.tile(service, 14, 10.004, 20.004))
            let items = try TileContent(tile.packedBytes(), at: id).items
            func item(_ layer: String, _ name: String) throws -> TileContent.Item {
                try #require(items.first { $0.layer == layer && $0.text("name") == name })
            }
            let motorway = try #require(items.first { $0.text("class") == "motorway" })
            #expect(motorway.text("ref") == "A 7" && motorway.has("oneway"))
            let back = try item("streets", "Back")
            #expect(back.has("oneway") && back.shape.parts[0][0].x > back.shape.parts[0][1].x)
            let over = try item("streets", "Over")
            #expect(over.has("bridge") && !over.has("oneway"))
            #expect(items.contains { $0.layer == "rails" && $0.text("class") == "ferry" })
            #expect(try item("marks", "Top").text("ele") == "812")
            #expect(items.filter { $0.layer == "marks" && $0.text("class") == "peak" }.count == 1)
            #expect(try item("marks", "Art").shape.parts[0][0].longitude > 20.0031)
            // What only a close look needs is in tiles of its own.
            #expect(!items.contains { $0.layer == "numbers" || $0.text("class") == "shop" })
            let point = WorldPoint(latitude: 10.0034, longitude: 20.003)
            let close = try #require(try await Self.tile(service, 15, 10.0034, 20.003))
            let details = try TileContent(close.packedBytes(), at: TileID(point, zoom: 15)).items
            #expect(Set(details.map(\.layer)) == ["coverage", "marks", "numbers"])
            #expect(details.contains { $0.text("class") == "shop" && $0.text("name") == "Bikes" })
            #expect(details.first { $0.layer == "numbers" }?.shape.parts.count == 2)
            // Farther away are the numbers of large roads, but neither directions nor houses.
            let far = try #require(try await Self.tile(service, 9, 10.004, 20.004))
            let values = far.layers.flatMap(\.values).compactMap(\.text)
            #expect(values.contains("A 7") && !values.contains("12"))
            #expect(!far.layers.contains { $0.keys.contains("oneway") })
        }
    }

    @Test("is listed with its box, zoom levels, size and edition, and replaced and removed with its dataset")
    func lifetime() async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service in
            try await service.load(MapFile.town.bytes, name: "town.osm.pbf")
            let tiles = try #require(try await datasets(service).first?.tiles)
            #expect(tiles.minimumZoom == 5 && tiles.maximumZoom == 14 && tiles.tileCount >= 10 && tiles.byteCount > 0)
            let box = try #require(tiles.box)
            #expect(
                (9.9..<10).contains(box.southWest?.latitude ?? 0)
                    && (20.01..<20.1).contains(box.northEast?.longitude ?? 0))
            #expect(!tiles.version.isEmpty)
        }
        try await TestService.run(in: folder) { service in
            // It is there after a start as well.
            #expect(try await Self.tile(service, 14, 10.004, 20.004) != nil)
            let before = try await datasets(service).first?.tiles?.version
            try await service.load(MapFile.town.bytes, name: "town.osm.pbf")
            #expect(try await datasets(service).first?.tiles?.version != before)
            try await service.load("id,name,lat,lon\n1,a,1,2\n", name: "a.csv")
            let dataset = try #require(try await datasets(service).first)
            #expect(dataset.tiles == nil && dataset.addressCount == 0)
            let error = try await service.refusal { _ in try await Self.tile(service, 5, 10, 20) }
            #expect(error.code == .notFound && error.message.hasPrefix("dataset test has no map"))
        }
    }

    @Test("stays as it was when the next import fails", .enabled(if: PostgresServer.isOfFiles))
    func failure() async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service in
            try await service.load(MapFile.town.bytes, name: "town.osm.pbf")
            let before = try await Self.tile(service, 14, 10.004, 20.004)
            var file = MapFile.town.bytes
            file.removeLast(20)
            let error = try await service.refusal { [file] _ in try await service.load(file, name: "town.osm.pbf") }
            #expect(error.code == .invalidArgument)
            #expect(try await Self.tile(service, 14, 10.004, 20.004) == before)
            #expect(
                DatasetFiles.names(in: folder.path + "/data/datasets/test")
                    == ["1.snapshot", "1.snapshot.areas", "1.snapshot.osm.pbf", "1.snapshot.pmtiles", "dataset.json"])
            #expect(try DiskFile.names(in: folder.path + "/data/uploads").isEmpty)
        }
    }

    @Test("is the same when ways hold the positions of their nodes, and the file has no other nodes")
    func locationsOnWays() async throws {
        var file = MapFile.town
        let plain = file.bytes
        file.hasLocationsOnWays = true
        let lean = file.bytes
        #expect(lean != plain)
        try await TestService.run { service in
            try await service.load(plain, name: "a.osm.pbf")
            let before = try #require(try await Self.tile(service, 14, 10.004, 20.004))
            try await service.load(lean, name: "a.osm.pbf")
            #expect(try await Self.tile(service, 14, 10.004, 20.004) == before)
        }
    }

    @Test("has borders of countries and regions, from relations too, the more important one where two run together")
    func borders() async throws {
        var file = MapFile.town
        let bare = file.way([(10.002, 20.0), (10.002, 20.01)])
        let street = file.way([(10.003, 20.0), (10.003, 20.01)], [("highway", "residential")])
        let sea = file.way([(10.0, 20.0), (10.0, 20.01)], [("maritime", "yes")])
        func border(_ level: String) -> MapFile.Tags {
            [("type", "boundary"), ("boundary", "administrative"), ("admin_level", level)]
        }
        file.relation([(bare, "outer"), (sea, "outer")], border("4"))
        file.relation([(bare, "outer")], border("2"))
        file.relation([(street, "inner")], border("4"))
        file.relation([(street, "outer")], border("8"))
        let bytes = file.bytes
        try await TestService.run { service in
            try await service.load(bytes, name: "a.osm.pbf")
            let tile = try #require(try await Self.tile(service, 14, 10.004, 20.004))
            let borders = try #require(tile.layers.first { $0.name == "borders" })
            #expect(borders.values.compactMap(\.text) == ["country", "region"] && borders.features.count == 2)
            #expect(tile.layers.first { $0.name == "streets" }?.features.count == 12)
        }
    }

    @Test("has both of two holes that touch each other, and both of two parts, however their ways are put together")
    func touching() async throws {
        var file = MapFile.town
        func area(_ north: Double, _ east: Double, _ role: String, _ file: inout MapFile) -> [(
            way: Int64, role: String
        )] {
            // Two squares with a corner in common; the ways of one are named between those of the other.
            let places = [(0, 0), (0, 2), (2, 2), (2, 0), (4, 2), (4, 4), (2, 4)].map { (down: Int, right: Int) in
                file.node(north + Double(down) / 10_000, east + Double(right) / 10_000)
            }
            let ways = [[0, 1, 2], [2, 6, 5], [5, 4, 2], [2, 3, 0]].map { indices in
                file.way(through: indices.map { places[$0] })
            }
            return ways.map { (way: $0, role: role) }
        }
        let outer = file.way(
            [(10.003, 20.003), (10.003, 20.004), (10.004, 20.004), (10.004, 20.003)], closed: true)
        let holes = area(10.0032, 20.0032, "inner", &file)
        file.relation([(outer, "outer")] + holes, [("type", "multipolygon"), ("natural", "wood")])
        file.relation(
            area(10.007, 20.003, "outer", &file), [("type", "multipolygon"), ("natural", "beach")])
        let bytes = file.bytes
        try await TestService.run { service in
            try await service.load(bytes, name: "a.osm.pbf")
            let id = TileID(WorldPoint(latitude: 10.004, longitude: 20.004), zoom: 14)
            let tile = try #require(try await Self.tile(service, 14, 10.004, 20.004))
            let items = try TileContent(tile.packedBytes(), at: id).items
            func turns(_ kind: String, _ latitude: Double, _ longitude: Double) -> Int {
                items.filter { $0.text("class") == kind }.flatMap(\.shape.parts).reduce(0) { sum, ring in
                    let point = WorldPoint(latitude: latitude, longitude: longitude)
                    return Rings.contains(ring, point) ? sum + (Rings.area(ring) > 0 ? 1 : -1) : sum
                }
            }
            #expect(turns("wood", 10.0031, 20.0031) == 1)
            #expect(turns("wood", 10.0033, 20.0033) == 0 && turns("wood", 10.0035, 20.0035) == 0)
            #expect(turns("sand", 10.0071, 20.0031) == 1 && turns("sand", 10.0073, 20.0033) == 1)
        }
    }

    @Test("leaves out what can't be drawn, and says when there is no map at all")
    func oddities() async throws {
        var file = MapFile.town
        // A name that no map can show, a ring that does not close, one of a node that is not there, a relation with
        // very many members, most of which are missing.
        file.way(
            [(10.003, 20.003), (10.003, 20.004)],
            [("highway", "residential"), ("name", String(repeating: "x", count: 300))])
        file.way([(10.004, 20.003), (10.005, 20.004), (10.005, 20.003)], [("building", "yes")])
        file.way(through: [1, 2, 99_999, 1], [("leisure", "park")])
        let open = file.way([(10.006, 20.003), (10.007, 20.003), (10.007, 20.004)])
        let many = [(way: open, role: "outer")] + (0..<100_000).map { (way: Int64(1000 + $0), role: "inner") }
        file.relation(many, [("type", "multipolygon"), ("natural", "wood")])
        var disorder = MapFile()
        for index in 0..<600 {
            disorder.node(Double(index) / 1000, 1, [("amenity", "cafe"), ("name", "Café \(index)")])
        }
        let files = (odd: file.bytes, disorder: disorder.bytes)
        try await TestService.run { service in
            #expect(try await service.load(files.odd, name: "a.osm.pbf").badRows.isEmpty)
            let tile = try #require(try await Self.tile(service, 14, 10.004, 20.004))
            let parks = try #require(tile.layers.first { $0.name == "parks" })
            #expect(parks.values.compactMap(\.text).sorted() == ["Park", "park"])
            #expect(
                tile.layers.first { $0.name == "streets" }?.values.contains { ($0.text ?? "").hasPrefix("xx") } == false
            )
            // Places without anything to draw have no map.
            try await service.load(files.disorder, name: "a.osm.pbf")
            #expect(try await datasets(service).first?.tiles == nil)
        }
    }

    @Test("refuses a tile that there can't be, with what is allowed")
    func refusals() async throws {
        try await TestService.run { service in
            try await service.load(MapFile.town.bytes, name: "town.osm.pbf")
            let requests: [(GetTileRequest, String)] = [
                (GetTileRequest(dataset: "test", zoom: 23), "zoom: 23 is not allowed; 0 to 22 are"),
                (GetTileRequest(dataset: "A"), "dataset: \"A\" is not allowed; 1 to 63 of a-z, 0-9, '-' and '_' are"),
            ]
            for (request, says) in requests {
                let error = try await service.refusal { try await $0.getTile(request, TestService.soon) }
                #expect(error.code == .invalidArgument && error.message == says, "\(error)")
            }
            // Each number is allowed, and yet there is no such tile.
            let none = [
                GetTileRequest(dataset: "test", zoom: 2, x: 4), GetTileRequest(dataset: "test", y: 1),
                GetTileRequest(dataset: "no"),
            ]
            for request in none {
                let error = try await service.refusal { try await $0.getTile(request, TestService.soon) }
                #expect(error.code == .notFound, "\(request)")
            }
        }
    }
}
