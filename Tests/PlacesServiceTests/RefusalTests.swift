import PlaceContracts
import RPC
import Testing
import Wire

@testable import PlacesService

@Suite("P12 P13 Bad input")
struct RefusalTests {
    /// A request that is wrong in one thing, and the field that the answer must name.
    struct Wrong: CustomTestStringConvertible, Sendable {
        let field: String
        let says: String
        let change: @Sendable (inout NearbyRequest) -> Void
        var testDescription: String { "\(field) \(says)" }

        init(_ field: String, _ says: String, _ change: @escaping @Sendable (inout NearbyRequest) -> Void) {
            self.field = field
            self.says = says
            self.change = change
        }
    }

    static let wrongs = [
        Wrong("centre", "a latitude and a longitude") { $0.centre = nil },
        Wrong("centre.latitude", "90.0000001") { $0.centre?.latitude = 90.0000001 },
        Wrong("centre.latitude", "nan") { $0.centre?.latitude = .nan },
        Wrong("centre.longitude", "-180.1") { $0.centre?.longitude = -180.1 },
        Wrong("centre.longitude", "inf") { $0.centre?.longitude = .infinity },
        Wrong("radius_m", "0 to 100,000 metres") { $0.radiusM = -0.001 },
        Wrong("radius_m", "0 to 100,000 metres") { $0.radiusM = 100_000.001 },
        Wrong("radius_m", "0 to 100,000 metres") { $0.radiusM = .nan },
        Wrong("radius_m", "0 to 100,000 metres") { $0.radiusM = .infinity },
        Wrong("limit", "1 to 200") { $0.limit = 0 },
        Wrong("limit", "1 to 200") { $0.limit = 201 },
        Wrong("limit", "1 to 200") { $0.limit = .max },
        Wrong("page_token", "next_page_token") { $0.pageToken = "AAAA" },
        Wrong("page_token", "next_page_token") { $0.pageToken = String(repeating: "x", count: 100_000) },
        Wrong("page_token", "next_page_token") { $0.pageToken = "€" },
        Wrong("networks[1]", "openstreetmap") { $0.networks = ["catalog", "myspace"] },
        Wrong("datasets[0]", "a-z") { $0.datasets = ["../etc"] },
        Wrong("datasets[0]", "a-z") { $0.datasets = [""] },
        Wrong("datasets", "at most 100") { $0.datasets = Array(repeating: "a", count: 101) },
        Wrong("categories[0]", "1 to 255") { $0.categories = [""] },
        Wrong("categories[0]", "1 to 255") { $0.categories = [String(repeating: "c", count: 256)] },
        Wrong("categories", "at most 100") { $0.categories = Array(repeating: "a", count: 101) },
        Wrong("excluded_categories[0]", "1 to 255") { $0.excludedCategories = ["/"] },
        Wrong("name_text", "at most 200") { $0.nameText = String(repeating: "n", count: 201) },
        Wrong("name_text", "no letter") { $0.nameText = " !? " },
        Wrong("fields[0]", "position") { $0.fields = ["price"] },
    ]

    @Test("of Nearby is refused, naming the field, the value and what is allowed", arguments: wrongs)
    func nearby(wrong: Wrong) async throws {
        try await TestService.run { service in
            var request = NearbyRequest(centre: Coordinate(latitude: 60, longitude: 25))
            wrong.change(&request)
            let error = try await service.refusal { try await $0.nearby(request, TestService.soon) }
            #expect(error.code == .invalidArgument)
            #expect(error.message.hasPrefix(wrong.field + ":"), "\(error)")
            #expect(error.message.contains(wrong.says), "\(error)")
            #expect(error.message.utf8.count < 500)
            #expect(error.details?.fieldViolations.map(\.field) == [wrong.field])
        }
    }

    @Test("a page token serves its own question only")
    func foreignToken() async throws {
        try await TestService.run { service in
            try await service.load("id\tname\tlat\tlon\n1\ta\t1\t1\n2\tb\t1\t1\n3\tc\t1\t1\n")
            var request = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 1), limit: 1)
            request.pageToken = try await service.nearby(request).nextPageToken
            request.limit = 2
            #expect(try await service.nearby(request).places.map(\.name) == ["b", "c"])
            request.radiusM = 2000
            let error = try await service.refusal { [request] in try await $0.nearby(request, TestService.soon) }
            #expect(error.code == .invalidArgument && error.message.hasPrefix("page_token:"))
        }
    }

    @Test("a larger radius is a setting")
    func radiusSetting() async throws {
        try await TestService.run(maximumRadius: 20_016_000) { service in
            try await service.load("id\tname\tlat\tlon\n1\ta\t-1\t-179\n")
            let far = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 1), radiusM: 20_015_200)
            #expect(try await service.nearby(far).places.count == 1)
        }
    }

    @Test("an empty catalog and a network without places have no data, and say so")
    func noData() async throws {
        try await TestService.run { service in
            let centre = Coordinate(latitude: 1, longitude: 1)
            let empty = try await service.nearby(NearbyRequest(centre: centre, includeCount: true))
            #expect(empty == NearbyResponse(count: 0, emptyReason: .noData))
            try await service.load("id\tname\tlat\tlon\n1\ta\t1\t1\n")
            #expect(
                try await service.nearby(NearbyRequest(centre: centre, networks: ["instagram"])).emptyReason == .noData)
            #expect(try await service.nearby(NearbyRequest(centre: centre, datasets: ["other"])).emptyReason == .noData)
            #expect(
                try await service.nearby(NearbyRequest(centre: centre, networks: ["instagram", "catalog"])).places.count
                    == 1)
        }
    }

    @Test("of the other calls is refused as clearly")
    func others() async throws {
        try await TestService.run { service in
            let soon = TestService.soon
            func expect(_ code: RPCCode, _ start: String, _ call: (PlacesServiceClient) async throws -> Any)
                async throws
            {
                let error = try await service.refusal(call)
                #expect(error.code == code, "\(error)")
                #expect(error.message.hasPrefix(start), "\(error)")
            }
            try await expect(.invalidArgument, "position:") {
                try await $0.reverseGeocode(ReverseGeocodeRequest(), soon)
            }
            try await expect(.invalidArgument, "position.latitude:") {
                try await $0.reverseGeocode(ReverseGeocodeRequest(position: Coordinate(latitude: -91)), soon)
            }
            try await expect(.failedPrecondition, "the catalog contains no dataset named towns") {
                try await $0.reverseGeocode(ReverseGeocodeRequest(position: Coordinate()), soon)
            }
            try await expect(.invalidArgument, "page_size:") {
                try await $0.listDatasets(ListDatasetsRequest(pageSize: 0), soon)
            }
            try await expect(.invalidArgument, "page_size:") {
                try await $0.listDatasets(ListDatasetsRequest(pageSize: 1001), soon)
            }
            try await expect(.invalidArgument, "page_token:") {
                try await $0.listDatasets(ListDatasetsRequest(pageToken: "?"), soon)
            }
            try await expect(.invalidArgument, "name:") {
                try await $0.deleteDataset(DeleteDatasetRequest(name: "A"), soon)
            }
            try await expect(.notFound, "there is no dataset a") {
                try await $0.deleteDataset(DeleteDatasetRequest(name: "a"), soon)
            }
        }
    }
}
