import PhotoContracts
import Geo
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import PhotoService

@Suite("P17 What the pin service asks for is noted durably")
struct AlbumSearchTests {
    /// A part of the search of a pin at 60, 25 with a radius of a kilometre.
    static func part(
        _ pin: String = "p1", generation: UInt64 = 1, _ latitude: Double = 60, places: [PlacePoint] = [],
        isLast: Bool = true, morePlacesFollow: Bool = false
    ) -> SearchAlbumsRequest {
        SearchAlbumsRequest(
            pinId: pin, generation: generation, centre: BaseContracts.Coordinate(latitude: latitude, longitude: 25),
            radiusM: 1_000,
            places: places, isLast: isLast, morePlacesFollow: morePlacesFollow)
    }

    static func place(_ id: String, _ latitude: Double = 60, _ longitude: Double = 25) -> PlacePoint {
        PlacePoint(id: id, position: BaseContracts.Coordinate(latitude: latitude, longitude: longitude))
    }

    private func jobs(_ service: RunningPhotoService) async throws -> Int {
        try await service.store.read { transaction throws(SQLError) in try transaction.jobCount("search") }
    }

    private func album(_ pin: String, _ service: RunningPhotoService) async throws -> StoredAlbum? {
        try await service.store.read { transaction throws(SQLError) in try transaction.album(.pin(pin)) }
    }

    @Test("the search begins with the last part, once, and all parts' places are known")
    func parts() async throws {
        try await RunningPhotoService.with { service in
            for (number, isLast) in [(1, false), (2, true), (2, true)] {
                let part = Self.part(places: [Self.place("catalog/\(number)")], isLast: isLast)
                _ = try await service.search.searchAlbums(part, service.peerOptions)
                #expect(try await jobs(service) == (isLast ? 1 : 0))
            }
            let places = try await service.store.read { transaction throws(SQLError) in
                try transaction.places(of: "p1").map(\.id).sorted()
            }
            #expect(places == ["catalog/1", "catalog/2"])
            #expect(try await album("p1", service)?.state == .searching)
        }
    }

    @Test("a part of an older generation changes nothing, a newer one moves the search")
    func generations() async throws {
        try await RunningPhotoService.with { service in
            for (generation, latitude, place) in [(2, 61.0, "new"), (1, 60.0, "old"), (3, 62.0, "newest")] {
                let part = Self.part(
                    generation: UInt64(generation), latitude, places: [Self.place("catalog/\(place)")], isLast: false)
                _ = try await service.search.searchAlbums(part, service.peerOptions)
            }
            let album = try #require(try await album("p1", service))
            #expect(album.generation == 3)
            #expect(album.centre.latitudeE7 == 620_000_000)
            let places = try await service.store.read { transaction throws(SQLError) in
                try transaction.places(of: "p1").map(\.id).sorted()
            }
            #expect(places == ["catalog/new", "catalog/newest"])
        }
    }

    @Test("a pin that is forgotten stays so, whatever comes late; its places go unless another pin has them")
    func forget() async throws {
        try await RunningPhotoService.with { service in
            let places = [Self.place("catalog/1"), Self.place("catalog/2")]
            _ = try await service.search.searchAlbums(Self.part(places: places), service.peerOptions)
            _ = try await service.search.searchAlbums(
                Self.part("p2", places: [places[0]]), service.peerOptions(of: "bob"))
            for _ in 1...2 {
                _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), service.peerOptions)
                _ = try await service.search.searchAlbums(Self.part(places: places), service.peerOptions)
            }
            #expect(try await album("p1", service) == nil)
            #expect(try await jobs(service) == 1)
            let known = try await service.store.read { transaction throws(SQLError) in
                [try transaction.knownPlace("catalog/1")?.id, try transaction.knownPlace("catalog/2")?.id]
            }
            #expect(known == ["catalog/1", nil])
        }
    }

    @Test("a pin of another account is none")
    func accounts() async throws {
        try await RunningPhotoService.with { service in
            _ = try await service.search.searchAlbums(Self.part(), service.peerOptions)
            let bob = service.peerOptions(of: "bob")
            let searched = try await errorOf { try await service.search.searchAlbums(Self.part(), bob) }
            let forgotten = try await errorOf { try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), bob) }
            #expect([searched?.code, forgotten?.code] == [.notFound, .notFound])
            #expect(try await album("p1", service)?.account == "ann")
        }
    }

    @Test("bad input is refused with the field's name")
    func badInput() async throws {
        try await RunningPhotoService.with { service in
            let many = (0...1_000).map { Self.place("catalog/\($0)") }
            var wide = Self.part()
            wide.radiusM = 100_001
            var lost = Self.part()
            lost.centre = nil
            let cases = [
                (Self.part(""), "pin_id"), (Self.part("a/b"), "pin_id"), (Self.part(generation: 0), "generation"),
                (Self.part(generation: .max), "generation"), (wide, "radius_m"), (lost, "centre"),
                (Self.part(places: many), "places"), (Self.part(places: [Self.place("")]), "places[0].id"),
                (Self.part(places: [Self.place("a/1"), Self.place("a/\n")]), "places[1].id"),
                (Self.part(places: [Self.place("a/1", 91)]), "places[0].position.latitude"),
            ]
            for (part, field) in cases {
                let error = try await errorOf { try await service.search.searchAlbums(part, service.peerOptions) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.details?.fieldViolations.map(\.field) == [field])
            }
        }
    }
}
