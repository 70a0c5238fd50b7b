import PlaceContracts
import Geo
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P12 Within a box")
struct WithinSearchTests {
    @Test("gives what looking at every place gives: filters, counts, pages, both orders, edges")
    func bruteForce() async throws {
        let model = ModelCatalog(seed: 11, count: 2400)
        try await TestService.run { service in
            try await service.load(model)
            var numbers = SeededGenerator(seed: 4)
            for _ in 0..<500 { try await compare(Self.request(model, &numbers), model, service) }
        }
    }

    @Test("A1 gives all places of a box from west -180 to east 180, and of one that is the 180th meridian")
    func wholeWidth() async throws {
        try await TestService.run { service in
            try await service.load("id\tname\tlat\tlon\n1\ta\t1\t-180\n2\tb\t1\t0\n3\tc\t1\t179.9\n")
            func ids(_ west: Double, _ east: Double) async throws -> [String] {
                let box = BaseContracts.Box(
                    southWest: BaseContracts.Coordinate(latitude: -90, longitude: west),
                    northEast: BaseContracts.Coordinate(latitude: 90, longitude: east))
                let answer = try await service.client.within(WithinRequest(box: box), TestService.soon)
                return answer.places.map { String($0.id.suffix(1)) }
            }
            #expect(try await ids(-180, 180) == ["1", "2", "3"])
            #expect(try await ids(180, 180) == ["1"])
            #expect(try await ids(0, 180) == ["1", "2", "3"])
        }
    }

    private func compare(_ request: WithinRequest, _ model: ModelCatalog, _ service: TestService) async throws {
        var expected = try model.matches(request)
        if let point = request.nearestTo {
            let from = try Geo.Coordinate(latitude: point.latitude, longitude: point.longitude)
            expected = expected.map { ($0, Distance.metres(from: from, to: $0.point)) }
                .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.map(\.0)
        }
        var request = request
        var found: [Place] = []
        repeat {
            let answer = try await service.client.within(request, TestService.soon)
            #expect(answer.count == (request.includeCount ? UInt64(expected.count) : nil))
            #expect(answer.truncated == (found.count + answer.places.count < expected.count))
            #expect(answer.truncated == !answer.nextPageToken.isEmpty)
            #expect(answer.places.allSatisfy { ($0.distanceM == nil) == (request.nearestTo == nil) })
            found += answer.places
            request.pageToken = answer.nextPageToken
        } while !request.pageToken.isEmpty && found.count < 600
        #expect(found.map(\.id) == expected.prefix(max(found.count, 1)).map(\.id), "\(request)")
    }

    private static func request(_ model: ModelCatalog, _ numbers: inout SeededGenerator) -> WithinRequest {
        let a = numbers.one(of: model.places).point
        let width = numbers.one(of: [0, 0.001, 0.05, 1, 90])
        let near = BaseContracts.Coordinate(latitude: a.latitude, longitude: a.longitude)
        let east = a.longitude + width > 180 ? a.longitude + width - 360 : a.longitude + width
        var request = WithinRequest(
            box: BaseContracts.Box(
                southWest: near,
                northEast: BaseContracts.Coordinate(latitude: min(90, a.latitude + width), longitude: east)
            ))
        if numbers.chance(0.4) {
            let from = numbers.one(of: model.places).point
            request.nearestTo = BaseContracts.Coordinate(latitude: from.latitude, longitude: from.longitude)
        }
        request.limit = numbers.one(of: [nil, 1, 20, 200])
        if numbers.chance(0.3) { request.categories = [numbers.one(of: ["amenity", "shop/books"])] }
        if numbers.chance(0.2) { request.networks = [numbers.one(of: ["catalog", "openstreetmap"])] }
        if numbers.chance(0.2) { request.nameText = numbers.one(of: ["caf", "park mus"]) }
        request.includeCount = numbers.chance(0.3)
        return request
    }

    @Test("a box that is missing, off the Earth or upside down is refused with its field")
    func refusals() async throws {
        func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> WithinRequest {
            WithinRequest(
                box: BaseContracts.Box(
                    southWest: BaseContracts.Coordinate(latitude: south, longitude: west),
                    northEast: BaseContracts.Coordinate(latitude: north, longitude: east)))
        }
        let bad: [(WithinRequest, String)] = [
            (WithinRequest(), "box"), (WithinRequest(box: BaseContracts.Box()), "box.south_west"),
            (box(-91, 0, 0, 0), "box.south_west.latitude"), (box(0, 0, 0, .nan), "box.north_east.longitude"),
            (box(10, 0, 5, 1), "box.south_west.latitude"),
        ]
        try await TestService.run { service in
            for (request, field) in bad {
                let refusal = try await service.refusal { try await $0.within(request, TestService.soon) }
                #expect(refusal.code == .invalidArgument)
                #expect(refusal.message.hasPrefix("\(field): "), "\(refusal.message)")
            }
            let both = NearbyRequest(
                centre: BaseContracts.Coordinate(latitude: 1, longitude: 1), radiusM: 5, anyDistance: true)
            let refusal = try await service.refusal { try await $0.nearby(both, TestService.soon) }
            #expect(refusal.code == .invalidArgument && refusal.message.hasPrefix("radius_m: "))
        }
    }
}
