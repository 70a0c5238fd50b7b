import PlaceContracts
import Testing
import Wire

@testable import PlacesService

@Suite("P13 P15 Addresses of .osm.pbf")
struct OSMAddressTests {
    /// A node with tags, in degrees times 1e7.
    private static func node(
        _ id: Int64, _ latitude: Int64, _ longitude: Int64, _ tags: [String], _ texts: inout BlockTexts
    ) -> PbfNode {
        let (keys, values) = pairs(tags, &texts)
        return PbfNode(
            id: PBFFile.folded(id), keys: keys, values: values, latitude: PBFFile.folded(latitude),
            longitude: PBFFile.folded(longitude))
    }

    private static func pairs(_ tags: [String], _ texts: inout BlockTexts) -> (keys: [UInt32], values: [UInt32]) {
        let numbers = texts.numbers(tags)
        let keys = stride(from: 0, to: tags.count, by: 2).map { numbers[$0] }
        return (keys, stride(from: 1, to: tags.count, by: 2).map { numbers[$0] })
    }

    private static func file() -> [UInt8] {
        var texts = BlockTexts()
        let street = ["addr:street", "Canal St", "addr:city", "Miami"]
        let nodes = [
            node(1, 257_740_000, -801_900_000, ["addr:housenumber", "1"] + street, &texts),
            node(2, 257_740_000, -801_890_000, ["addr:housenumber", "11"] + street, &texts),
            node(3, 257_740_000, -801_880_000, [], &texts),
            node(4, 257_740_000, -801_870_000, ["addr:housenumber", "21"], &texts),
            node(5, 257_750_000, -801_870_000, ["addr:housenumber", "7", "addr:place", "Saari"], &texts),
            node(6, 257_750_000, -801_860_000, ["addr:housenumber", "9"], &texts),
            node(7, 257_751_000, -801_860_000, [], &texts), node(8, 257_751_000, -801_859_000, [], &texts),
            node(9, 257_760_000, -801_860_000, ["addr:housenumber", "x", "addr:street", "Odd St"], &texts),
            node(10, 257_760_000, -801_850_000, ["addr:housenumber", "900000000000", "addr:street", "Odd St"], &texts),
        ]
        func way(_ id: Int64, _ tags: [String], _ ids: [Int64]) -> PbfWay {
            let (keys, values) = pairs(tags, &texts)
            return PbfWay(id: id, keys: keys, values: values, nodes: PBFFile.distances(ids))
        }
        let ways = [
            way(1, ["addr:interpolation", "odd"] + street, [1, 2, 3, 4]),
            way(2, ["building", "yes", "addr:housenumber", "3"] + street, [6, 7, 8, 6]),
            way(3, ["addr:interpolation", "all"], [9, 10]), way(4, ["addr:interpolation", "some"], [1, 2]),
            way(5, ["addr:interpolation", "odd"], [1, 99, 2]), way(6, ["addr:interpolation", "odd"], []),
        ]
        return PBFFile(PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(nodes: nodes, ways: ways)]))
            .bytes
    }

    @Test("are taken without names, of nodes and ways, and between two numbers along a street")
    func all() async throws {
        try await TestService.run(
            geocoder: Geocoder(
                Geocoder.Sources(gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses()))
        ) { service async throws in
            let story = try await service.load(Self.file(), name: "city.osm.pbf")
            #expect(story.badRows.isEmpty, "\(story.badRows)")
            let near = NearbyRequest(
                centre: Coordinate(latitude: 25.775, longitude: -80.187), radiusM: 5_000, limit: 200,
                categories: ["address"])
            let places = try await service.nearby(near).places
            var positions: [String: Coordinate] = [:]
            for place in places { positions[place.name] = place.position }
            let odd = (0...9).map { 2 * $0 + 1 }.filter { $0 <= 19 }
            for number in odd { #expect(positions["Canal St \(number)"] != nil, "\(number) of \(positions.keys)") }
            #expect(positions["Canal St 2"] == nil && positions["Saari 7"] != nil && positions["Odd St x"] != nil)
            #expect(positions["Canal St 5"] == Coordinate(latitude: 25.774, longitude: -80.1896))
            let ids = Set(places.map { String($0.id.dropFirst("catalog/test/".count)) })
            #expect(ids.isSuperset(of: ["node/1", "way/2", "way/1/3", "way/1/19"]) && !ids.contains("way/1/1"))
            let found = try await service.client.geocode(GeocodeRequest(text: "15 Canal Street"), TestService.soon)
            #expect(found.matches.first?.name.contains("Canal St") == true)
            let plain = NearbyRequest(centre: Coordinate(latitude: 25.775, longitude: -80.187), radiusM: 5_000)
            #expect(try await service.nearby(plain).places.isEmpty)
        }
    }
}
