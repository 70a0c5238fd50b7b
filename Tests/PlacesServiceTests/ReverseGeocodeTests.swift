import PlaceContracts
import Testing
import Wire

@testable import PlacesService

@Suite("P15 Reverse geocoding")
struct ReverseGeocodeTests {
    private static let towns =
        "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n"
        + "1\tTaveuni\tplace/town\t-16.8\t179.99\tFJ\tFiji\tNorthern\n"
        + "2\tPole Camp\tplace/village\t-89.9\t10\tAQ\tAntarctica\t\n"
        + "3\tHelsinki\tplace/city\t60.1695\t24.9354\tFI\tFinland\tUusimaa\n"

    @Test("names the nearest town with its region and country, also across the antimeridian and at a pole")
    func towns() async throws {
        try await TestService.run { service in
            try await service.load(Self.towns, into: "towns")
            try await service.load("id\tname\tlat\tlon\n1\tnearer\t60.17\t24.94\n", into: "other")
            func town(_ latitude: Double, _ longitude: Double) async throws -> ReverseGeocodeResponse {
                let request = ReverseGeocodeRequest(position: Coordinate(latitude: latitude, longitude: longitude))
                return try await service.client.reverseGeocode(request, TestService.soon)
            }
            let helsinki = try await town(60.17, 24.94)
            #expect(helsinki.town?.id == "catalog/towns/3" && helsinki.town?.name == "Helsinki")
            #expect(helsinki.region == "Uusimaa" && helsinki.countryCode == "FI" && helsinki.country == "Finland")
            #expect((helsinki.town?.distanceM).map { (200...300).contains($0) } == true)
            #expect(try await town(-16.8, -179.99).town?.name == "Taveuni")
            let pole = try await town(-90, 0)
            #expect(pole.town?.name == "Pole Camp" && pole.region.isEmpty && pole.countryCode == "AQ")
            #expect(helsinki.name == "Helsinki" && pole.name == "near Pole Camp")
            #expect(try await town(0, 0).name.isEmpty, "without outlines nothing is known so far from a town")
        }
    }

    @Test(
        "far from every town a point has the country and region it lies in, at sea the name of the sea",
        arguments: [
            (67.5, 26.5, "Lapland, Finland", "FI"), (70, 25, "Finnmark Fylke, Norway", "NO"),
            (23, 5, "In Guezzam, Algeria", "DZ"), (72, -40, "Nationalparken, Greenland", "GL"),
            (-90, 0, "Antarctica", "AQ"), (-25, 130, "Northern Territory, Australia", "AU"),
            (62, 105, "Krasnoyarskiy, Russia", "RU"),
            (3, 3, "Gulf of Guinea", ""), (0, 0, "Atlantic Ocean", ""), (-40, -120, "Pacific Ocean", ""),
            (40, 180, "Pacific Ocean", ""),
            (40, -180, "Pacific Ocean", ""), (30, -40, "Atlantic Ocean", ""), (-30, 80, "Indian Ocean", ""),
            (90, 0, "Arctic Ocean", ""), (-62, 100, "Southern Ocean", ""), (34.5, 18, "Mediterranean Sea", ""),
            (58.5, 20, "Baltic Sea", ""), (42, 51, "Caspian Sea", ""), (57, 179.5, "Bering Sea", ""),
            (57, -179.5, "Bering Sea", ""), (-37, 160, "Tasman Sea", ""), (25, -90, "Gulf of Mexico", ""),
            (15, -75, "Caribbean Sea", ""), (60, -85, "Hudson Bay", ""),
        ])
    func areas(latitude: Double, longitude: Double, name: String, code: String) async throws {
        let sources = Geocoder.Sources(areas: try .bundled())
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            let towns =
                "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n"
                + "1\tKemi\tplace/town\t65.73\t24.57\tFI\tFinland\tLapland\n"
            try await service.load(towns, into: "towns")
            let answer = try await service.client.reverseGeocode(
                ReverseGeocodeRequest(position: Coordinate(latitude: latitude, longitude: longitude)),
                TestService.soon)
            #expect(answer.name == name && answer.countryCode == code && answer.town?.name == "Kemi")
        }
    }

    @Test(
        "W9 a point is in its own country, though the nearest town lies beyond the border; right at it the town counts",
        arguments: [
            (33, -115, "US", "near El Centro"), (48.8596589, -113.4360082, "US", "Montana, United States"),
            (32.66, -115.47, "MX", "near Mexicali"),
        ])
    func border(latitude: Double, longitude: Double, code: String, name: String) async throws {
        let sources = Geocoder.Sources(areas: try .bundled())
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            let towns =
                "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n"
                + "1\tMexicali\tplace/city\t32.65\t-115.47\tMX\tMexico\tBaja California\n"
                + "2\tEl Centro\tplace/town\t32.79\t-115.4\tUS\tUnited States\tCalifornia\n"
                + "3\tEjido\tplace/village\t32.7\t-114.9\tMX\tMexico\tBaja California\n"
                + "4\tCardston\tplace/town\t49.2\t-113.3\tCA\tCanada\tAlberta\n"
            try await service.load(towns, into: "towns")
            let answer = try await service.client.reverseGeocode(
                ReverseGeocodeRequest(position: Coordinate(latitude: latitude, longitude: longitude)),
                TestService.soon)
            #expect(answer.countryCode == code)
            #expect(answer.name == name)
        }
    }

    @Test(
        "beside a border a point is in its own country, though no dataset has the border, and the nearest town lies beyond",
        arguments: [
            (49.71195, 18.6417, "CZ"), (32.5430, -117.0290, "US"), (43.7384, 7.4246, "MC"), (43.7450, 7.4180, "FR"),
            (43.7290, 7.4050, "FR"), (21.0300, 105.8500, "VN"), (43.8256, 87.6168, "CN"),
        ])
    func borders(latitude: Double, longitude: Double, code: String) async throws {
        let sources = Geocoder.Sources(areas: try .bundled())
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            try await service.load(Self.towns, into: "towns")
            let answer = try await service.client.reverseGeocode(
                ReverseGeocodeRequest(position: Coordinate(latitude: latitude, longitude: longitude)),
                TestService.soon)
            #expect(answer.countryCode == code)
        }
    }

    @Test("where a dataset has a country's border, what lies beside it is in the other country, whatever outlines say")
    func border() async throws {
        var file = MapFile()
        let corners = [(43.735, 7.420), (43.735, 7.424), (43.739, 7.424), (43.739, 7.420)]
        file.relation(
            [(file.way(corners, closed: true), "outer")],
            [
                ("type", "boundary"), ("boundary", "administrative"), ("admin_level", "2"), ("name", "Monaco"),
                ("ISO3166-1", "MC"),
            ])
        file.node(43.736, 7.422, [("amenity", "cafe"), ("name", "Café")])
        let sources = Geocoder.Sources(areas: try .bundled())
        try await TestService.run(geocoder: Geocoder(sources)) { [file] service in
            try await service.load(Self.towns, into: "towns")
            try await service.load(file.bytes, into: "monaco", name: "monaco.osm.pbf")
            for (longitude, code) in [(7.422, "MC"), (7.4246, "FR")] {
                let answer = try await service.client.reverseGeocode(
                    ReverseGeocodeRequest(position: Coordinate(latitude: 43.7384, longitude: longitude)),
                    TestService.soon)
                #expect(answer.countryCode == code)
            }
        }
    }

    @Test("A15 the South Pole is in Antarctica, whatever the meridian, and wherever the nearest town is")
    func southPole() async throws {
        let sources = Geocoder.Sources(areas: try .bundled())
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            let towns =
                "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n"
                + "1\tPunta Arenas\tplace/town\t-53.15\t-70.92\tCL\tChile\tMagallanes\n"
            try await service.load(towns, into: "towns")
            for longitude in stride(from: -180.0, through: 180, by: 15) {
                for latitude in [-90.0, -89.5, -85] {
                    let point = Coordinate(latitude: latitude, longitude: longitude)
                    let answer = try await service.client.reverseGeocode(
                        ReverseGeocodeRequest(position: point), TestService.soon)
                    #expect(answer.country == "Antarctica" && answer.countryCode == "AQ", "\(point): \(answer)")
                    #expect(answer.name == "Antarctica" && answer.region.isEmpty)
                }
            }
        }
    }
}
