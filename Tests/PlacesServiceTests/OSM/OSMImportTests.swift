import PlaceContracts
import Testing
import Wire

@testable import PlacesService

@Suite("P13 Import of .osm.pbf")
struct OSMImportTests {
    private func places(_ file: [UInt8]) async throws -> [String: Place] {
        try await TestService.run { service in
            let story = try await service.load(file, name: "city-latest.osm.pbf")
            #expect(story.badRows.isEmpty)
            let last = try #require(story.progress.last)
            #expect(last.phase == "writing" && last.readByteCount == last.totalByteCount)
            var places: [String: Place] = [:]
            for (latitude, longitude) in [(60.17, 24.94), (-33.25, -70.5), (50, 10), (55.08, 17.47), (1, 2)] {
                let centre = Coordinate(latitude: latitude, longitude: longitude)
                let near = try await service.nearby(NearbyRequest(centre: centre, radiusM: 10_000, limit: 200))
                for place in near.places { places[String(place.id.dropFirst("catalog/test/".count))] = place }
            }
            #expect(story.summary?.dataset?.placeCount == UInt64(places.count))
            return places
        }
    }

    @Test("takes named nodes, ways and relations of a file that somebody else wrote, and leaves out the rest")
    func stranger() async throws {
        let places = try await places(StrangersFile.bytes)
        #expect(
            places.mapValues(\.name) == [
                "node/1": "Café Ursula", "node/3": "Museo", "way/1": "Square", "way/2": "Line", "relation/1": "Ring",
                "relation/2": "Site",
            ])
        #expect(places["node/1"]?.categories == ["amenity/cafe"])
        #expect(places["node/1"]?.attributes == [Attribute(key: "cuisine", value: "coffee_shop")])
        #expect(places["node/3"]?.categories == ["tourism/museum", "tourism/gallery"])
        #expect(Set(places["node/3"]?.attributes.map(\.key) ?? []) == ["name_en", "name_ar"])
        #expect(places["way/1"]?.categories == ["amenity/school"])
    }

    @Test("keeps where pictures of a place are, and what else there is to know of it")
    func details() async throws {
        let kept = [
            ("wheelchair", "yes"), ("wikidata", "Q1"), ("wikimedia_commons", "Category:Inn"),
            ("image", "https://example.org/inn.jpg"), ("panoramax", "3fa0c7d1"), ("mapillary", "123"),
        ]
        let tags = [("amenity", "pub"), ("name", "Inn"), ("fixme", "ask")] + kept
        var texts = BlockTexts()
        let node = PbfNode(
            id: PBFFile.folded(1), keys: texts.numbers(tags.map(\.0)), values: texts.numbers(tags.map(\.1)),
            latitude: PBFFile.folded(10_000_000), longitude: PBFFile.folded(20_000_000))
        let block = PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(nodes: [node])])
        let place = try #require(try await places(PBFFile(block).bytes)["node/1"])
        #expect(place.attributes == kept.map { Attribute(key: $0.0, value: $0.1) })
    }

    @Test("names OpenStreetMap's contributors unless the client names somebody, for GeoNames' tables GeoNames")
    func attribution() async throws {
        try await TestService.run { service in
            let dataset = try #require(try await service.load(StrangersFile.bytes, name: "a.osm.pbf").summary?.dataset)
            #expect(dataset.attribution == "© OpenStreetMap contributors" && dataset.licence == "ODbL-1.0")
            let row = ["1", "a", "a", "", "1", "2"] + [String](repeating: "", count: 13)
            let table = try await service.load(row.joined(separator: "\t"), name: "FI.txt")
            #expect(table.summary?.dataset?.attribution == "GeoNames, CC BY 4.0")
            let begin = BeginImportRequest(
                dataset: "test", fileName: "a.pbf", byteCount: UInt64(StrangersFile.bytes.count), attribution: "Me")
            let id = try await service.client.beginImport(begin, TestService.soon).uploadId
            _ = try await service.client.writeImport(
                WriteImportRequest(uploadId: id, data: StrangersFile.bytes), TestService.soon)
            #expect(try await service.runImport(id).summary?.dataset?.attribution == "Me")
        }
    }

    @Test("puts areas at their centre of gravity, lines at their middle, groups in the middle of their box")
    func centres() async throws {
        let positions = try await places(StrangersFile.bytes).mapValues(\.position)
        #expect(positions["node/1"] == Coordinate(latitude: 60.1699, longitude: 24.9384))
        #expect(positions["node/3"] == Coordinate(latitude: -33.25, longitude: -70.5))
        #expect(positions["way/1"] == Coordinate(latitude: 50.0005, longitude: 10.001))
        #expect(positions["way/2"] == Coordinate(latitude: 50, longitude: 10.001))
        #expect(positions["relation/1"] == Coordinate(latitude: 50.0005, longitude: 10.001))
        #expect(positions["relation/2"] == Coordinate(latitude: 55.08495, longitude: 17.4692))
    }

    @Test("reads nodes one by one or field by field, packed or not, in any unit, beside blobs it does not know")
    func forms() async throws {
        var texts = BlockTexts()
        let node = PbfNode(
            id: PBFFile.folded(-9), keys: texts.numbers(["shop", "name"]), values: texts.numbers(["yes", "Plain"]),
            latitude: PBFFile.folded(500), longitude: PBFFile.folded(-1000))
        var block = PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(nodes: [node])])
        block.granularity = 1000
        block.latitudeOffset = 1_000_000_000 - 500_000
        block.longitudeOffset = 2_000_000_000 + 1_000_000
        var file = PBFFile()
        file.add("Unheard of", [1, 2, 3])
        file.add(block, .raw)
        file.add(PbfBlock())
        file.add(.good, .zlib)
        let places = try await places(file.bytes)
        #expect(places.mapValues(\.name) == ["node/-9": "Plain", "node/7": "Good"])
        #expect(places["node/-9"]?.categories == ["shop"])
        #expect(places.values.allSatisfy { $0.position == Coordinate(latitude: 1, longitude: 2) })
    }

    @Test("finds the nodes of a way in whatever order the file has them")
    func anyOrder() async throws {
        var texts = BlockTexts()
        let way = PbfWay(
            id: 3, keys: texts.numbers(["leisure", "name"]), values: texts.numbers(["park", "Backwards"]),
            nodes: PBFFile.distances([5, -2, 900, 5]))
        let nodes = [(900, 10_000_000, 20_000_000), (-2, 10_000_000, 20_000_300), (5, 10_000_300, 20_000_000)]
        var file = PBFFile(PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(ways: [way])]))
        for (id, latitude, longitude) in nodes {
            let node = PbfNode(
                id: PBFFile.folded(Int64(id)), latitude: PBFFile.folded(Int64(latitude)),
                longitude: PBFFile.folded(Int64(longitude)))
            file.add(PbfBlock(groups: [PbfGroup(nodes: [node])]))
        }
        let places = try await places(file.bytes)
        #expect(places["way/3"]?.position == Coordinate(latitude: 1.00001, longitude: 2.00001))
    }

    @Test("takes the positions that a way tells by itself, when the file has no such nodes")
    func locationsOnWays() async throws {
        var texts = BlockTexts()
        let way = PbfWay(
            id: 3, keys: texts.numbers(["leisure", "name"]), values: texts.numbers(["park", "Alone"]),
            nodes: PBFFile.distances([5, 6]), latitudes: PBFFile.distances([10_000_000, 10_000_000]),
            longitudes: PBFFile.distances([20_000_000, 20_000_200]))
        let block = PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(ways: [way])])
        let places = try await places(PBFFile(block).bytes)
        #expect(places["way/3"]?.position == Coordinate(latitude: 1, longitude: 2.00001))
    }

    @Test("tells elements that can't be places with their id and the number of their blob, and goes on")
    func badElements() async throws {
        var texts = BlockTexts()
        let keys = texts.numbers(["amenity", "name"])
        let values = texts.numbers(["bar", "Far"])
        let long = texts.numbers(["bar", String(repeating: "n", count: 1025)])
        let wide = texts.numbers(["bar", String(repeating: "n", count: 300_000)])
        let (zero, far) = (PBFFile.folded(0), PBFFile.folded(910_000_000))
        let nodes = [
            PbfNode(id: PBFFile.folded(1), keys: keys, values: values, latitude: far, longitude: zero),
            PbfNode(id: PBFFile.folded(2), keys: keys, values: long, latitude: zero, longitude: zero),
            PbfNode(
                id: PBFFile.folded(3), keys: keys, values: [values[0], UInt32(texts.texts.count)], latitude: zero,
                longitude: zero),
        ]
        let way = PbfWay(id: 4, keys: keys, values: wide, nodes: [])
        var file = PBFFile(
            PbfBlock(texts: PbfTexts(texts: texts.texts + [[0xff]]), groups: [PbfGroup(nodes: nodes, ways: [way])]))
        file.add(.good)
        try await TestService.run { [file] service in
            let story = try await service.load(file.bytes, name: "a.pbf")
            #expect(story.badRows.allSatisfy { $0.line == 2 })
            let reasons = story.badRows.map(\.reason)
            #expect(reasons.count == 4 && story.summary?.dataset?.placeCount == 1)
            #expect(reasons[0].hasPrefix("node/1: latitude: 91.0 is not allowed; -90"))
            #expect(reasons[1].hasPrefix("node/2: its name has 1025 bytes"))
            #expect(reasons[2] == "node/3: one of its tags is not UTF-8")
            #expect(reasons[3].hasPrefix("way/4: its tags take 300"))
        }
    }
}
