import PlaceContracts
import Geo
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P12 Nearby")
struct NearbySearchTests {
    private static let pieces = 8
    #if DEBUG
        private static let questionsPerPiece = 25
    #else
        private static let questionsPerPiece = 250
    #endif

    @Test("gives what looking at every place gives: filters, counts, pages, edges", arguments: 0..<pieces)
    func bruteForce(piece: Int) async throws {
        let model = ModelCatalog(seed: UInt64(piece) + 7, count: 2400)
        try await TestService.run { service in
            try await service.load(model)
            var numbers = SeededGenerator(seed: UInt64(piece) * 1001 + 1)
            for _ in 0..<Self.questionsPerPiece { try await compare(Self.request(model, &numbers), model, service) }
        }
    }

    @Test("tells what it did when asked, and nothing otherwise")
    func explanation() async throws {
        let model = ModelCatalog(seed: 5, count: 2400)
        try await TestService.run { service in
            try await service.load(model)
            var request = NearbyRequest(
                centre: BaseContracts.Coordinate(latitude: 60.17, longitude: 24.94), radiusM: 3000, limit: 5,
                categories: ["amenity"], explain: true)
            let told = try #require(try await service.nearby(request).explanation)
            #expect(told.indexCount == 3 + UInt32(try model.layers().layers.count))
            #expect(told.visitedCount > 0 && told.testedCount > 5 && told.filteredCount > 0)
            #expect(told.filteredCount < told.testedCount)
            #expect(try #require(told.duration?.duration) > .zero)
            #expect(try #require(told.queued?.duration) >= .zero && #require(told.encoding?.duration) > .zero)
            #expect(told.foundCount == 5)
            request.explain = false
            #expect(try await service.nearby(request).explanation == nil)
        }
    }

    private func compare(_ request: NearbyRequest, _ model: ModelCatalog, _ service: TestService) async throws {
        let expected = try model.matches(request)
        let limit = Int(request.limit ?? 20)
        var request = request
        var found: [Place] = []
        repeat {
            let answer = try await service.nearby(request)
            #expect(answer.count == (request.includeCount ? UInt64(expected.count) : nil))
            #expect(answer.truncated == (found.count + answer.places.count < expected.count))
            #expect(answer.truncated == !answer.nextPageToken.isEmpty)
            #expect(!answer.truncated || answer.places.count == limit)
            if expected.isEmpty {
                try expectReason(answer, request, model)
            } else {
                #expect(answer.emptyReason == .unspecified)
            }
            found.append(contentsOf: answer.places)
            request.pageToken = answer.nextPageToken
            request.limit = UInt32(limit)
        } while !request.pageToken.isEmpty && found.count < 400
        let compared = Array(expected.prefix(max(found.count, 1)))
        #expect(found.map(\.id) == compared.map(\.place.id), "\(request)")
        #expect(found.map(\.distanceM) == compared.map(\.metres), "\(request)")
    }

    /// An empty answer names the nearest place of the datasets asked for, and whether it lies within the radius.
    private func expectReason(_ answer: NearbyResponse, _ request: NearbyRequest, _ model: ModelCatalog) throws {
        let anywhere = NearbyRequest(
            centre: request.centre, networks: request.networks, datasets: request.datasets, anyDistance: true)
        guard let nearest = try model.matches(anywhere).first else {
            #expect(answer.emptyReason == .noData)
            return
        }
        let radius = request.anyDistance ? .infinity : request.radiusM ?? 1000
        #expect(answer.emptyReason == (nearest.metres <= radius ? .filter : .radius))
        #expect(answer.nearest?.id == nearest.place.id)
        #expect(answer.nearest?.distanceM == nearest.metres)
    }

    private static func request(_ model: ModelCatalog, _ numbers: inout SeededGenerator) -> NearbyRequest {
        let near = numbers.one(of: model.places).point
        var request = NearbyRequest(
            centre: BaseContracts.Coordinate(latitude: near.latitude, longitude: near.longitude))
        if numbers.chance(0.6) { request.centre?.latitude = max(-90, min(90, near.latitude + offset(&numbers))) }
        if numbers.chance(0.1) { request.centre?.longitude = numbers.one(of: [180, -180, 0, 179.9999999]) }
        request.radiusM = numbers.one(of: [nil, 0, 0.01, 30, 500, 3000, 20_000, 100_000])
        request.limit = numbers.one(of: [nil, 1, 3, 20, 200])
        if numbers.chance(0.2) { (request.anyDistance, request.radiusM) = (true, nil) }
        if numbers.chance(0.2) { request.networks = [numbers.one(of: ["catalog", "openstreetmap", "foursquare"])] }
        if numbers.chance(0.3) {
            request.datasets = [numbers.one(of: ModelCatalog.datasets), numbers.one(of: ModelCatalog.datasets)]
        }
        if numbers.chance(0.3) {
            request.categories = [numbers.one(of: ["amenity", "shop", "shop/books", "none/such"])]
        }
        if numbers.chance(0.2) {
            request.excludedCategories = [numbers.one(of: ["amenity/cafe", "shop", "Banks & Credit Unions"])]
        }
        if numbers.chance(0.3) {
            request.nameText = numbers.one(of: ["caf", "lodz", "strass", "aero", "park mus", "muller", "12", "d"])
        }
        request.includeCount = numbers.chance(0.3)
        return request
    }

    private static func offset(_ numbers: inout SeededGenerator) -> Double {
        Double.random(in: -1...1, using: &numbers) * numbers.one(of: [1e-7, 1e-4, 1e-2, 1])
    }
}
