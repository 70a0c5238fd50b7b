import PlaceContracts
import TestTools
import Testing

@testable import PlacesService

@Suite("W1 P50 All that a map writes along a line is found")
struct OSMLineTests {
    private static let near = Coordinate(latitude: 10.005, longitude: 20.005)

    /// A service with a file of streets, whose names and addresses were read.
    private static func run(_ file: MapFile, _ body: (TestService) async throws -> Void) async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses())
        let geocoder = Geocoder(sources, names: try BundledGazetteer.names())
        try await TestService.run(geocoder: geocoder) { service async throws in
            let story = try await service.load(file.bytes, name: "town.osm.pbf")
            #expect(story.badRows.isEmpty, "\(story.badRows)")
            await geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
            try await body(service)
        }
    }

    private static func find(_ service: TestService, _ text: String) async throws -> [FindResult] {
        try await FindTests.find(service, text, near: near, limit: 50)
    }

    /// A street of pieces, each of 100 m, along a parallel.
    private static func street(
        _ file: inout MapFile, _ pieces: Range<Int>, at latitude: Double, _ tags: MapFile.Tags
    ) {
        for piece in pieces {
            let west = 20 + Double(piece) / 1000
            file.way([(latitude, west), (latitude, west + 0.001)], tags)
        }
    }

    @Test("ferries, and junctions with a name, which no search around a pin gives; a stop beside a road is a place")
    func beside() async throws {
        var file = MapFile()
        Self.street(&file, 0..<3, at: 10, [("route", "ferry"), ("name", "Saarilinja")])
        Self.street(&file, 5..<7, at: 10, [("route", "hiking"), ("name", "Polku")])
        file.node(10.001, 20.001, [("highway", "motorway_junction"), ("name", "Kreuz Nord"), ("ref", "12")])
        file.node(10.002, 20.001, [("highway", "services"), ("name", "Rasthof")])
        try await Self.run(file) { service async throws in
            for (text, categories) in [
                ("saarilinja", ["line/ferry"]), ("kreuz nord", ["line/junction"]), ("rasthof", ["highway/services"]),
            ] {
                #expect(try await Self.find(service, text).first?.categories == categories, "\(text)")
            }
            #expect(try await !Self.find(service, "polku").contains { $0.name == "Polku" })
            let near = try await service.nearby(NearbyRequest(centre: Self.near, radiusM: 5_000))
            #expect(near.places.map(\.name) == ["Rasthof"])
        }
    }

    @Test("a street of 40 pieces is one result, with its box and a point on it; of the same name far away another one")
    func pieces() async throws {
        var file = MapFile()
        let tags = [("highway", "residential"), ("name", "Querweg"), ("name:fi", "Poikkitie")]
        Self.street(&file, 0..<40, at: 10, tags)
        // The other side of a road with two, and one that begins in the middle of a long piece.
        Self.street(&file, 0..<5, at: 10.0003, tags)
        file.way([(10.0003, 20.005), (10.0003, 20.03)], tags)
        file.way([(10.0003, 20.0172), (10.003, 20.0172)], tags)
        Self.street(&file, 900..<903, at: 10, tags)
        try await Self.run(file) { service async throws in
            for text in ["Querweg", "poikkitie", "querwe", "Querwegg"] {
                let found = try await Self.find(service, text)
                #expect(found.filter { $0.name == "Querweg" }.map(\.kind) == [.street, .street], "\(text)")
                let first = try #require(found.first)
                #expect(first.name == "Querweg" && first.categories == ["line/street"])
                #expect(first.box?.southWest == Coordinate(latitude: 10, longitude: 20))
                #expect(first.box?.northEast == Coordinate(latitude: 10.003, longitude: 20.04))
                #expect(abs((first.position?.latitude ?? 0) - 10.0003) < 0.0006)
                #expect(abs((first.position?.longitude ?? 0) - 20.02) < 0.004)
                #expect(first.attribution.contains("OpenStreetMap"))
            }
        }
    }

    @Test(
        "numbers of roads are found as signs and people write them",
        arguments: [
            ("I 83", ["I 83", "I-83", "i83", "Interstate 83"]),
            ("US 322", ["us-322", "US322", "Route 322", "highway 322"]),
            ("A7", ["A7", "a 7", "A-7"]), ("E 75", ["E75", "e 75"]), ("PA 581", ["PA-581", "Route 581", "pa581"]),
        ])
    func numbers(number: String, written: [String]) async throws {
        var file = MapFile()
        Self.street(&file, 0..<9, at: 10, [("highway", "motorway"), ("ref", "\(number);X 1"), ("name", "Ringroad")])
        try await Self.run(file) { service async throws in
            for text in written {
                let first = try #require(try await Self.find(service, text).first, "\(text)")
                #expect(first.kind == .street && first.name == number, "\(text): \(first.name)")
            }
            #expect(try await Self.find(service, "Ringroad").map(\.name) == ["Ringroad"])
        }
    }

    @Test("rivers, railways, bridges, tunnels and squares are found, each once")
    func others() async throws {
        var file = MapFile()
        for piece in 0..<3 {
            let south = 10 + Double(piece) / 100
            file.way([(south, 20), (south + 0.01, 20)], [("waterway", "river"), ("name", "Langwasser")])
        }
        Self.street(&file, 0..<3, at: 10.01, [("railway", "rail"), ("name", "Quellbahn")])
        Self.street(
            &file, 3..<4, at: 10.01,
            [("highway", "primary"), ("name", "Uferweg"), ("bridge", "yes"), ("bridge:name", "Kettenbruck")])
        Self.street(&file, 5..<6, at: 10.01, [("railway", "rail"), ("tunnel:name", "Dunkelgang")])
        file.way(
            [(10.02, 20), (10.02, 20.001), (10.021, 20.001)], closed: true,
            [("highway", "pedestrian"), ("area", "yes"), ("place", "square"), ("name", "Rundmarkt")])
        file.way(
            [(10.03, 20), (10.03, 20.001), (10.031, 20.001)], closed: true,
            [("highway", "pedestrian"), ("area", "yes"), ("name", "Eckmarkt")])
        let ring = file.way([(10.04, 20), (10.04, 20.001), (10.041, 20.001)], closed: true)
        file.relation(
            [(ring, "outer")], [("type", "multipolygon"), ("highway", "pedestrian"), ("name", "Ringmarkt")])
        try await Self.run(file) { service async throws in
            for (name, category) in [
                ("Langwasser", "line/river"), ("Quellbahn", "line/railway"), ("Uferweg", "line/street"),
                ("Kettenbruck", "line/bridge"), ("Dunkelgang", "line/tunnel"), ("Rundmarkt", "place/square"),
                ("Eckmarkt", "line/street"), ("Ringmarkt", "line/street"),
            ] {
                let found = try await Self.find(service, name)
                #expect(found.map(\.name) == [name] && found.first?.categories == [category], "\(name): \(found)")
            }
        }
    }

    @Test("a street that has houses too is one result, with the town of its houses")
    func houses() async throws {
        var file = MapFile()
        Self.street(&file, 0..<9, at: 10, [("highway", "residential"), ("name", "Hausweg")])
        for number in 1...3 {
            file.node(
                10.0002, 20 + Double(number) / 1000,
                [("addr:street", "Hausweg"), ("addr:housenumber", "\(number)"), ("addr:city", "Wegstadt")])
        }
        try await Self.run(file) { service async throws in
            let found = try await Self.find(service, "Hausweg")
            #expect(found.map(\.name) == ["Hausweg"] && found.first?.context.contains("Wegstadt") == true, "\(found)")
            #expect(found.first?.box?.northEast == Coordinate(latitude: 10, longitude: 20.009))
            #expect(try await Self.find(service, "Hausweg 2").first?.kind == .address)
        }
    }

    @Test("a search around a point has none of them unless it asks, nor do words for kinds of places")
    func hidden() async throws {
        var file = MapFile()
        Self.street(&file, 0..<9, at: 10.005, [("highway", "residential"), ("name", "Querweg")])
        file.node(10.005, 20.005, [("amenity", "cafe"), ("name", "Eckcafé")])
        try await Self.run(file) { service async throws in
            func names(_ categories: [String]) async throws -> [String] {
                let request = NearbyRequest(centre: Self.near, radiusM: 5_000, categories: categories)
                return try await service.nearby(request).places.map(\.name)
            }
            #expect(try await names([]) == ["Eckcafé"])
            #expect(try await names(["line"]) == ["Querweg"])
            #expect(try await names(["line/street"]) == ["Querweg"])
            #expect(try await Self.find(service, "street").allSatisfy { $0.name != "Querweg" })
        }
    }

    @Test("what is too much for the memory of an import is left out, which it says")
    func tooMany() throws {
        let folder = TemporaryFolder()
        let geometry = try OSMGeometry(folder: folder.path)
        for id in 1...4 { try geometry.add(Int64(id), GridPoint(latitude: 0, longitude: Int32(id) * 1000)) }
        try geometry.seal()
        var lines = OSMLines(folder: folder.path, memory: 1 << 20, maximumPoints: 70)
        for way in 1...10 {
            let line = OSMLine(kind: .street, name: "\(way)", category: LineCategory.street)
            try lines.add(
                OSMWay(id: Int64(way), nodes: [1, 2, 3, 4], tags: []), [line],
                from: BlobPlace(number: UInt64(way), offset: 0), geometry.points([1, 2, 3, 4]))
        }
        var (row, names, problems) = (PlaceRow(), [String](), 0)
        while let event = try lines.next(&row) {
            switch event {
            case .row: names.append(row.name)
            case .bad: problems += 1
            case .nothing, .notice: break
            }
        }
        #expect(problems == 1 && !names.isEmpty && names.count < 10)
    }
}
