import PlaceContracts
import Daemon
import EventLoops
import Files
import Glibc
import RPC
import TestTools
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

    /// Writes a bundle with one dataset named "a".
    private func bundle(_ folder: TemporaryFolder, version: String, _ rows: String) throws -> String {
        let path = folder.path + "/bundle"
        try DiskFile.makeFolder(path + "/a")
        let text =
            #"{"name":"a","title":"A","attribution":"x","licence":"y","version":"\#(version)","file":"a.tsv","rows":1}"#
        try WholeFile.write(Array(text.utf8), to: path + "/a/dataset.json")
        try WholeFile.write(Array(("id\tname\tlat\tlon\n" + rows).utf8), to: path + "/a/a.tsv")
        return path
    }

    private func names(_ service: TestService) async throws -> [String] {
        let request = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2))
        return try await service.nearby(request).places.map(\.name)
    }

    @Test("is taken in anew only with another edition")
    func editions() async throws {
        try await TestService.run { service in
            await Self.install(in: service, from: try bundle(service.folder, version: "1", "1\told\t1\t2\n"))
            #expect(try await names(service) == ["old"])
            await Self.install(in: service, from: try bundle(service.folder, version: "1", "1\tsame\t1\t2\n"))
            #expect(try await names(service) == ["old"])
            await Self.install(in: service, from: try bundle(service.folder, version: "2", "1\tnew\t1\t2\n"))
            #expect(try await names(service) == ["new"])
            await Self.install(in: service, from: try bundle(service.folder, version: "3", "broken"))
            #expect(try await names(service) == ["new"])
        }
    }

    @Test("stays deleted, and never replaces what a client has imported")
    func respect() async throws {
        try await TestService.run { service in
            let path = try bundle(service.folder, version: "1", "1\tbundled\t1\t2\n")
            await Self.install(in: service, from: path)
            _ = try await service.client.deleteDataset(DeleteDatasetRequest(name: "a"), TestService.soon)
            await Self.install(in: service, from: path)
            #expect(try await names(service) == [])
            try await service.load("id\tname\tlat\tlon\n1\tmine\t1\t2\n", into: "a")
            await Self.install(in: service, from: path)
            #expect(try await names(service) == ["mine"])
        }
    }

    /// A replica fetches a copy that is damaged.
    @Test(
        "takes the place of its own damaged copy, not of a client's", .enabled(if: PostgresServer.isOfFiles),
        arguments: [true, false])
    func repair(isBundled: Bool) async throws {
        let folder = TemporaryFolder()
        let path = try bundle(folder, version: "1", "1\tbundled\t1\t2\n")
        try await TestService.run(in: folder) { service in
            if isBundled { await Self.install(in: service, from: path) }
            if !isBundled { try await service.load("id\tname\tlat\tlon\n1\tmine\t1\t2\n", into: "a") }
        }
        try WholeFile.write([1, 2, 3], to: folder.path + "/data/datasets/a/1.snapshot")
        try await TestService.run(in: folder) { service async throws in
            await Self.install(in: service, from: path)
            #expect(try await names(service) == (isBundled ? ["bundled"] : []))
        }
    }
}
