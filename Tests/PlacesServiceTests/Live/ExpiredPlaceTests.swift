import PlaceContracts
import Geo
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PlacesService

@Suite("P6 P14 Places of live networks that have expired", .timeLimit(.minutes(2)))
struct ExpiredPlaceTests {
    private static let pin = "0198a1b2-0000-7000-8000-000000000001"
    private static let day: Int64 = 24 * 3_600_000

    /// The places that a search finds.
    private func count(_ service: TestService) async throws -> Int {
        let centre = FixtureCity.centre
        let request = NearbyRequest(
            centre: BaseContracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude), radiusM: 1_000,
            limit: 200, networks: ["openstreetmap"])
        return try await service.nearby(request).places.count
    }

    /// What is swept every minute.
    private func sweep(_ service: TestService, at now: Int64) async throws -> Int {
        try await service.store.deleteCells(expiredBefore: now)
        return try await service.index.dropExpired { now - service.handler.discovery.life(of: $0) }
    }

    private func hold() -> HoldAreaRequest {
        let centre = FixtureCity.centre
        return HoldAreaRequest(
            pinId: Self.pin, centre: BaseContracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude),
            radiusM: 1_000)
    }

    @Test("stay while a pin is there, and go from searches when it is gone; a new answer brings them back")
    func held() async throws {
        let clock = ManualClock()
        let city = try FixtureCity(30, reachMetres: 900)
        try await TestService.live(.openstreetmap, clock: clock.clock, answer: { city.overpass($0) }) { service, _ in
            _ = try await service.discover()
            let all = try await count(service)
            #expect(all == city.count(1_000))
            let areas = HeldAreaHandler(store: service.store, own: service.index.own)
            let context = CallContext(method: HeldAreaServiceMethods.holdArea)
            for _ in 1...2 { _ = try await areas.holdArea(hold(), context) }
            clock.move(by: Self.day - 1)
            #expect(try await sweep(service, at: clock.now) == 0)
            clock.move(by: Self.day)
            #expect(try await sweep(service, at: clock.now) == 0)
            #expect(try await count(service) == all)
            for _ in 1...2 { _ = try await areas.releaseAreas(ReleaseAreasRequest(pinId: Self.pin), context) }
            #expect(try await sweep(service, at: clock.now) == 30)
            #expect(try await count(service) == 0)
            #expect(try await sweep(service, at: clock.now) == 0)
            _ = try await service.discover()
            #expect(try await count(service) == all)
        }
    }

    @Test("stay as long as what is known of their area, and where no answer was complete as long as that")
    func known() async throws {
        let clock = ManualClock()
        let city = try FixtureCity(30, reachMetres: 900)
        try await TestService.live(.openstreetmap, clock: clock.clock, answer: { city.overpass($0) }) { service, _ in
            _ = try await service.discover()
            // As if the answer had not been complete.
            try await service.store.database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
                try transaction.execute("DELETE FROM grid_cells")
            }
            clock.move(by: Self.day - 1)
            #expect(try await sweep(service, at: clock.now) == 0)
            clock.move(by: 2)
            #expect(try await sweep(service, at: clock.now) == 30)
        }
    }
}
