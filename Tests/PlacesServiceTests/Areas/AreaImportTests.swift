import Files
import PlaceContracts
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P50 Where a point is, by the areas of an import")
struct AreaImportTests {
    /// A land of two towns, whose names are in Finnish too, with a quarter, a street, houses, a square and a park.
    private static var land: MapFile {
        var file = MapFile()
        func square(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> [(Double, Double)] {
            [(south, west), (south, east), (north, east), (north, west)]
        }
        func area(_ corners: [(Double, Double)], _ tags: MapFile.Tags) {
            let way = file.way(corners, closed: true)
            file.relation([(way, "outer")], [("type", "boundary")] + tags)
        }
        func border(_ level: Int, _ name: String, _ corners: [(Double, Double)], _ tags: MapFile.Tags = []) {
            let own = [("boundary", "administrative"), ("admin_level", "\(level)"), ("name", name)]
            area(corners, own + [("name:fi", "\(name)-fi")] + tags)
        }
        border(2, "Land", square(10, 20, 11, 21), [("ISO3166-1:alpha2", "ZZ"), ("name:en", "The Land")])
        border(4, "North", square(10.5, 20, 11, 21))
        border(8, "Oldtown", square(10.5, 20, 10.6, 20.1))
        border(8, "Newtown", square(10.5, 20.1, 10.6, 20.2))
        border(10, "Mill", square(10.5, 20, 10.55, 20.05))
        area(square(10.8, 20.8, 10.9, 20.9), [("boundary", "national_park"), ("name", "Great Park")])
        file.way([(10.52, 20.01), (10.52, 20.03)], [("highway", "residential"), ("name", "Long Street")])
        file.node(10.5203, 20.02, [("addr:street", "Long Street"), ("addr:housenumber", "7")])
        file.way(
            square(10.5210, 20.0210, 10.5225, 20.0225), closed: true,
            [("building", "yes"), ("addr:street", "Hall Street"), ("addr:housenumber", "1")])
        file.way(square(10.53, 20.01, 10.531, 20.011), closed: true, [("place", "square"), ("name", "Market")])
        file.node(10.55, 20.08, [("amenity", "cafe"), ("name", "Café")])
        return file
    }

    private static let towns =
        "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\tpopulation\n"
        + "1\tFar\tplace/town\t10.95\t20.6\tZZ\tThe Land\tNorth\t5000\n"
        + "2\tBeyond\tplace/city\t10.85\t21.02\tYY\tOther Land\tWest\t90000\n"

    private typealias Ask = (Double, Double, [String]) async throws -> ReverseGeocodeResponse

    private func run(_ body: (TestService, Ask) async throws -> Void) async throws {
        try await TestService.run { service in
            try await service.load(Self.towns, into: "towns")
            let story = try await service.load(Self.land.bytes, into: "land", name: "land.osm.pbf")
            #expect(story.badRows.isEmpty)
            try await body(service) { latitude, longitude, languages in
                let point = PlaceContracts.Coordinate(latitude: latitude, longitude: longitude)
                return try await service.client.reverseGeocode(
                    ReverseGeocodeRequest(position: point, languages: languages), TestService.soon)
            }
        }
    }

    @Test("a point is named by its house or square, else its street, else its quarter, with its town")
    func names() async throws {
        try await run { _, at in
            let house = try await at(10.5204, 20.02, [])
            #expect(house.name == "Long Street 7, Oldtown" && house.house == "Long Street 7")
            #expect(house.municipality == "Oldtown" && house.quarter == "Mill" && house.street == "Long Street")
            #expect(house.region == "North" && house.countryCode == "ZZ" && house.country == "The Land")
            #expect(house.areas.map(\.name) == ["Land", "North", "Oldtown", "Mill"])
            #expect(house.areas.map(\.level) == [2, 4, 8, 10])
            #expect(house.areas.first?.id.hasPrefix("catalog/land/relation/") == true)
            // In the corner of a large house, far from its middle.
            let names = [
                try await at(10.52105, 20.02105, []).name, try await at(10.5305, 20.0105, []).name,
                try await at(10.54, 20.04, []).name, try await at(10.56, 20.15, []).name,
            ]
            #expect(names == ["Hall Street 1, Oldtown", "Market, Oldtown", "Mill, Oldtown", "Newtown"])
            let street = try await at(10.5195, 20.012, [])
            #expect(street.name == "Long Street, Oldtown" && street.house.isEmpty)
        }
    }

    @Test("names are in the reader's language where they have one in it")
    func languages() async throws {
        try await run { _, at in
            let names = [try await at(10.54, 20.04, ["sv", "fi"]).name, try await at(10.54, 20.04, ["sv"]).name]
            #expect(names == ["Mill-fi, Oldtown-fi", "Mill, Oldtown"])
        }
    }

    @Test("outside of towns a park names a point, else the nearest town of its country, not one beyond the border")
    func surroundings() async throws {
        try await run { _, at in
            let park = try await at(10.85, 20.85, [])
            #expect(park.name == "Great Park" && park.town?.name == "Far" && park.municipality.isEmpty)
            let border = try await at(10.85, 20.99, [])
            #expect(border.name == "near Far" && border.countryCode == "ZZ" && border.town?.name == "Far")
        }
    }

    @Test("a find says in which town something lies, by its border")
    func find() async throws {
        try await run { service, _ in
            let found = try await service.client.find(FindRequest(text: "Café"), TestService.soon)
            #expect(found.results.first?.context == "Oldtown, The Land")
        }
    }

    @Test("the areas outlive a restart, and go with their dataset")
    func storage() async throws {
        let folder = TemporaryFolder()
        let point = ReverseGeocodeRequest(position: PlaceContracts.Coordinate(latitude: 10.56, longitude: 20.15))
        try await TestService.run(in: folder) { service in
            try await service.load(Self.towns, into: "towns")
            try await service.load(Self.land.bytes, into: "land", name: "land.osm.pbf")
        }
        try await TestService.run(in: folder) { service in
            #expect(try await service.client.reverseGeocode(point, TestService.soon).municipality == "Newtown")
            _ = try await service.client.deleteDataset(DeleteDatasetRequest(name: "land"), TestService.soon)
            #expect(try await service.client.reverseGeocode(point, TestService.soon).municipality.isEmpty)
            let left = try DiskFile.names(in: folder.path + "/data/datasets/land")
            #expect(!left.contains { $0.hasSuffix(".areas") })
        }
    }
}
