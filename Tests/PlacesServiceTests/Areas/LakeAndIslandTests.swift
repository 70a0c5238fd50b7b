import PlaceContracts
import Testing
import Wire

@testable import PlacesService

@Suite("W9 Lakes and islands")
struct LakeAndIslandTests {
    private static let towns =
        "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n"
        + "1\tMontreux\tplace/town\t46.4330\t6.9114\tCH\tSwitzerland\tVaud\n"
        + "2\tCastell de Cabrera\tplace/village\t39.1510\t2.9330\tES\tSpain\tBalearic Islands\n"
        + "3\tKhuzhir\tplace/village\t53.1932\t107.3427\tRU\tRussia\tIrkutsk\n"
        + "4\tAlmerimar\tplace/town\t36.6960\t-2.7949\tES\tSpain\tAndalusia\n"
        + "5\tSavoonga\tplace/town\t63.6942\t-170.4789\tUS\tUnited States\tAlaska\n"
        + "6\tDar es Salaam\tplace/city\t-6.8235\t39.2695\tTZ\tTanzania\tDar es Salaam Region\n"

    private typealias Case = (latitude: Double, longitude: Double, name: String, code: String)

    /// Making the outlines takes a second, so one service answers all cases of a claim.
    private func expect(_ cases: [Case], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let sources = Geocoder.Sources(areas: try .bundled())
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            try await service.load(Self.towns, into: "towns")
            for (latitude, longitude, name, code) in cases {
                let answer = try await service.client.reverseGeocode(
                    ReverseGeocodeRequest(position: Coordinate(latitude: latitude, longitude: longitude)),
                    TestService.soon)
                #expect(
                    answer.name == name && answer.countryCode == code, "\(latitude), \(longitude): \(answer)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    @Test("in a lake a point has the lake's name, and the country whose part of it this is")
    func lakes() async throws {
        try await expect([
            (-0.9, 32.9, "Lake Victoria", "UG"), (-1.6, 32.9, "Lake Victoria", "TZ"),
            (47.9, -87.5, "Lake Superior", "US"), (45.2, -82.4, "Lake Huron", "CA"), (44, -87, "Lake Michigan", "US"),
            (53.7, 108.3, "Lake Baikal", "RU"), (46.48, 6.66, "Lake Geneva", "CH"), (46.42, 6.66, "Lake Geneva", "FR"),
            (61.6, 35.4, "Lake Onega", "RU"), (-38.8, 175.9, "Lake Taupo", "NZ"), (32.8, 35.6, "Sea of Galilee", "IL"),
        ])
    }

    @Test("on the shore of a lake, where a town's houses stand, the town says where a point is")
    func shore() async throws { try await expect([(46.4325, 6.9080, "Montreux", "CH")]) }

    @Test("on an island without a town of its own a point has the island's name, also across the antimeridian")
    func islands() async throws {
        try await expect([
            (35.9387, -3.0347, "Isla de Alboran, Spain", "ES"), (80, -78, "Ellesmere Island, Nunavut, Canada", "CA"),
            (71.2, 179.6, "Wrangel Island, Chukotskiy Avtonomnyy Okrug, Russia", "RU"),
            (71.2, -179.2, "Wrangel Island, Chukotskiy Avtonomnyy Okrug, Russia", "RU"),
            // A town across the water, 80 km away.
            (-6.12, 39.33, "Zanzibar Island, Zanzibar Central/South, Tanzania", "TZ"),
        ])
    }

    @Test(
        "a town on the same island says more than the island, also in a lake; on the mainland beside it no island counts"
    )
    func townOfIsland() async throws {
        try await expect([
            (53.15, 107.45, "near Khuzhir", "RU"), (63.45, -170.3, "near Savoonga", "US"),
            // A coast that lies some hundred metres beside its outline.
            (39.1500, 2.9600, "near Castell de Cabrera", "ES"),
            (36.72, -2.75, "near Almerimar", "ES"), (36.3, -2.9, "Mediterranean Sea", ""),
        ])
    }
}
