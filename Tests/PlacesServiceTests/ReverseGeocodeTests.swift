import Contracts
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
        }
    }
}
