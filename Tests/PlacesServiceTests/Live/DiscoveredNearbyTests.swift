import PlaceContracts
import Geo
import Testing

@testable import PlacesService

@Suite("P12 P14 Places of live networks are searched as others are", .timeLimit(.minutes(3)))
struct DiscoveredNearbyTests {
    @Test("what was found is searchable at once: exact, nearest first, page by page, by category and name")
    func searched() async throws {
        let city = try FixtureCity(120)
        try await TestService.live(.openstreetmap, answer: { city.overpass($0) }) { service, _ in
            _ = try await service.discover()
            let centre = FixtureCity.centre
            var request = NearbyRequest(
                centre: BaseContracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude), radiusM: 800,
                limit: 25, networks: ["openstreetmap"], includeCount: true)
            var names: [String] = []
            repeat {
                let page = try await service.nearby(request)
                #expect(page.count == UInt64(city.count(800)))
                names += page.places.map(\.name)
                request.pageToken = page.nextPageToken
            } while !request.pageToken.isEmpty
            let expected = city.venues.map { ($0.position.metres(to: centre), $0.name) }
                .filter { $0.0 <= 800 }.sorted { $0.0 < $1.0 }
            #expect(names == expected.map { $0.1 })
            request.categories = ["amenity"]
            request.nameText = "venue 7"
            let filtered = try await service.nearby(request)
            #expect(filtered.places.allSatisfy { $0.name.hasPrefix("Venue 7") && $0.id.contains("/7") })
            request.excludedCategories = ["amenity/cafe"]
            #expect(try await service.nearby(request).emptyReason == .filter)
        }
    }
}
