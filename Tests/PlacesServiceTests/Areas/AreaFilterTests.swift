import PlaceContracts
import RPC
import TestTools
import Testing

@testable import PlacesService

@Suite("P63 Searches in an area")
struct AreaFilterTests {
    private static let towns =
        "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n1\tFar\tplace/town\t10.95\t20.6\tZZ\tLand\t\n"

    /// Two towns side by side, each with cafés; those of the other town are nearer to the middle of the first.
    private static var file: MapFile {
        var file = MapFile()
        for (name, west) in [("Oldtown", 20.0), ("Newtown", 20.1)] {
            let corners = [(10.5, west), (10.5, west + 0.1), (10.6, west + 0.1), (10.6, west)]
            file.relation(
                [(file.way(corners, closed: true), "outer")],
                [("type", "boundary"), ("boundary", "administrative"), ("admin_level", "8"), ("name", name)])
        }
        for step in 0..<30 {
            file.node(10.55, 20.1001 + Double(step) / 10_000, [("amenity", "cafe"), ("name", "New")])
        }
        for step in 0..<3 {
            file.node(10.51, 20.01 + Double(step) / 1000, [("amenity", "cafe"), ("name", "Old \(step)")])
        }
        file.node(10.505, 20.005, [("place", "town"), ("name", "Oldtown")])
        for (name, east) in [("Long Street", 20.02), ("Edge Street", 20.101)] {
            let ends = [(10.51, east), (10.52, east)]
            _ = file.way(ends, closed: false, [("highway", "residential"), ("name", name)])
        }
        return file
    }

    private func run(_ body: (TestService, _ area: String) async throws -> Void) async throws {
        try await TestService.run { service in
            try await service.load(Self.towns, into: "towns")
            try await service.load(Self.file.bytes, into: "land", name: "land.osm.pbf")
            let there = ReverseGeocodeRequest(position: Coordinate(latitude: 10.52, longitude: 20.02))
            let areas = try await service.client.reverseGeocode(there, TestService.soon).areas
            try await body(service, try #require(areas.first { $0.name == "Oldtown" }?.id))
        }
    }

    private static let middle = Coordinate(latitude: 10.55, longitude: 20.09)

    @Test("what lies elsewhere takes no place of the limit, and is not counted")
    func nearby() async throws {
        try await run { service, area in
            let request = NearbyRequest(
                centre: Self.middle, limit: 2, categories: ["amenity"], includeCount: true, anyDistance: true,
                area: area)
            let answer = try await service.nearby(request)
            #expect(answer.places.map(\.name) == ["Old 2", "Old 1"] && answer.count == 3 && answer.truncated)
            var next = request
            next.pageToken = answer.nextPageToken
            #expect(try await service.nearby(next).places.map(\.name) == ["Old 0"])
            next.area = ""
            let refused = try await service.refusal { try await $0.nearby(next, TestService.soon) }
            #expect(refused.code == .invalidArgument, "a page belongs to its area")
        }
    }

    @Test("so it is within a box and for a text")
    func others() async throws {
        try await run { service, area in
            let box = Box(
                southWest: Coordinate(latitude: 10.5, longitude: 20),
                northEast: Coordinate(latitude: 10.6, longitude: 20.2))
            let inside = try await service.client.within(
                WithinRequest(box: box, limit: 50, categories: ["amenity"], area: area), TestService.soon)
            #expect(inside.places.count == 3)
            let found = try await service.client.find(
                FindRequest(text: "cafe", near: Self.middle, area: area), TestService.soon)
            #expect(Set(found.results.map(\.name)) == ["Old 0", "Old 1", "Old 2"])
        }
    }

    @Test("a text that names an area means what lies within its border")
    func named() async throws {
        try await run { service, _ in
            let found = try await service.client.find(
                FindRequest(text: "cafe in Oldtown", near: Self.middle, limit: 10), TestService.soon)
            #expect(Set(found.results.prefix(3).map(\.name)) == ["Old 0", "Old 1", "Old 2"])
            #expect(!found.results.contains { $0.name == "New" })
        }
    }

    @Test("a mistyped name is found there too, and a street that runs just beyond the border")
    func mistyped() async throws {
        try await run { service, _ in
            for (text, name) in [
                ("Long Street in Oldtown", "Long Street"), ("Lonng Street in Oldtown", "Long Street"),
                ("Edge Street in Oldtown", "Edge Street"),
            ] {
                let found = try await service.client.find(
                    FindRequest(text: text, near: Self.middle), TestService.soon)
                #expect(found.results.first?.name == name, "\(text)")
            }
        }
    }

    @Test("what is found says which area it is, and what its border reaches")
    func found() async throws {
        try await run { service, area in
            let found = try await service.client.find(
                FindRequest(text: "Oldtown", near: Self.middle), TestService.soon)
            let town = try #require(found.results.first { $0.name == "Oldtown" })
            #expect(town.area == area)
            #expect(town.box?.southWest == Coordinate(latitude: 10.5, longitude: 20))
            #expect(town.box?.northEast == Coordinate(latitude: 10.6, longitude: 20.1))
            let cafe = try await service.client.find(FindRequest(text: "Old 1", near: Self.middle), TestService.soon)
            #expect(cafe.results.first?.area == "")
        }
    }

    @Test(
        "without its areas, where their file is damaged, a dataset is there all the same", arguments: [4096 + 40, 20])
    func damaged(byte: Int) async throws {
        let folder = TemporaryFolder()
        try await TestService.run(in: folder) { service async throws in
            try await service.load(Self.file.bytes, into: "land", name: "land.osm.pbf")
            #expect(service.handler.catalog.verify().isEmpty)
        }
        let path = folder.path + "/data/datasets/land/1.snapshot.areas"
        var bytes = try WholeFile.bytes(path)
        bytes[byte] ^= 0xFF
        try WholeFile.write(bytes, to: path)
        try await TestService.run(in: folder) { service async throws in
            let damaged = service.handler.catalog.verify()
            #expect(damaged.map(\.name.description) == ["land"] && damaged.allSatisfy(\.isOfAreas))
            let request = NearbyRequest(centre: Self.middle, limit: 1, anyDistance: true)
            #expect(try await service.nearby(request).places.count == 1)
        }
    }

    @Test("an area that is not known is refused by name")
    func unknown() async throws {
        try await run { service, _ in
            for area in ["country/QQ", "catalog/land/relation/99", "nowhere", "region/FI"] {
                let refused = try await service.refusal {
                    try await $0.nearby(NearbyRequest(centre: Self.middle, area: area), TestService.soon)
                }
                #expect(refused.code == .invalidArgument && refused.message.contains("area"), "\(area)")
            }
        }
    }
}
