import Contracts
import EventLoops
import Glibc
import RPC
import ServiceRuntime
import Testing
import Wire

@testable import PlacesService

@Suite("P13 Bundled data")
struct BundledDataTests {
    /// The Data folder of this package.
    static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/") + "/Data"

    static func install(in service: TestService, from folder: String = folder) async {
        let log = Log(service: "test", level: .error)
        await BundledData(folder).install(in: service.handler.catalog, by: service.handler.imports, log)
        log.close()
    }

    @Test("the city, the towns and the airports can be searched, and point to their sources")
    func firstStart() async throws {
        try await TestService.run { service in
            await Self.install(in: service)
            let datasets = try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets
            #expect(datasets.map(\.name) == ["airports", "helsinki", "towns"])
            #expect(datasets.map(\.placeCount) == [28_298, 1_750, 234_908])
            #expect(
                datasets.allSatisfy { $0.bundled && !$0.attribution.isEmpty && !$0.licence.isEmpty && $0.byteCount > 0 }
            )

            let station = try await service.nearby(
                NearbyRequest(
                    centre: Coordinate(latitude: 60.1713198, longitude: 24.9414566), limit: 1, datasets: ["helsinki"]))
            let place = try #require(station.places.first)
            #expect(place.id == "catalog/helsinki/node/25389429")
            #expect(place.name == "Helsinki")
            #expect(place.categories == ["public_transport/station", "railway/station"])
            #expect(place.distanceM == 0)
            #expect(place.attributes.first == Attribute(key: "name_fi", value: "Helsingin rautatieasema"))

            let town = try await service.client.reverseGeocode(
                ReverseGeocodeRequest(position: Coordinate(latitude: 42.5765, longitude: 1.6677)), TestService.soon)
            #expect(town.town?.name == "Soldeu")
            #expect(town.region == "Canillo" && town.countryCode == "AD" && town.country == "Andorra")

            let airport = try await service.nearby(
                NearbyRequest(
                    centre: Coordinate(latitude: 60.32, longitude: 24.96), radiusM: 5000, categories: ["airport"],
                    nameText: "helsinki"))
            #expect(airport.places.map(\.id) == ["catalog/airports/EFHK"])
        }
    }
}
