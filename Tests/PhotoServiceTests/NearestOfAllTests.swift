import PhotoContracts
import Geo
import Storage
import TestTools
import Testing

@testable import PhotoService

@Suite("B1 P18 A photo goes to the nearest of all known places, whichever pin asks and whichever came first")
struct NearestOfAllTests {
    private typealias Part = AlbumSearchTests
    private typealias Point = Geo.Coordinate

    private func search(_ part: SearchAlbumsRequest, _ service: RunningPhotoService) async throws {
        _ = try await service.search.searchAlbums(part, service.peerOptions)
        try await service.finishSearches()
    }

    @Test("a photo at a chapel leaves the artwork 90 m away when some pin has the chapel, and comes back without it")
    func chapel() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(1)
            let (artwork, chapel) = (Part.place("catalog/artwork", 60.0009), Part.place("catalog/chapel", 60.0001))
            try await search(Part.part("p1", places: [artwork]), service)
            #expect(try await service.album("place/catalog/artwork").photos.map(\.id) == ids([1]))
            try await search(Part.part("p2", places: [chapel]), service)
            #expect(try await service.album("place/catalog/chapel").photos.map(\.id) == ids([1]))
            #expect(try await service.album("place/catalog/artwork").album?.summary == AlbumSummary(state: .empty))
            // Whoever has no chapel is told of it no more than before.
            try await search(Part.part("p3", places: [artwork]), service)
            #expect(try await service.album("place/catalog/artwork").album?.summary == AlbumSummary(state: .empty))
            _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p2"), service.peerOptions)
            try await service.finishSearches()
            #expect(try await service.album("place/catalog/artwork").photos.map(\.id) == ids([1]))
        }
    }

    @Test("a place that has moved takes its photos along for all pins, and leaves those of its neighbours")
    func moved() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos([("near.jpg", 60), ("far.jpg", 60.005)])
            let neighbour = Part.place("catalog/neighbour", 60.0005)
            try await search(Part.part("p1", places: [neighbour]), service)
            try await search(Part.part("p2", places: [Part.place("catalog/a", 60)]), service)
            #expect(try await service.album("place/catalog/a").photos.map(\.id) == ["folder/near.jpg"])
            try await search(Part.part("p2", places: [Part.place("catalog/a", 60.005)]), service)
            #expect(try await service.album("place/catalog/a").photos.map(\.id) == ["folder/far.jpg"])
            #expect(try await service.album("place/catalog/neighbour").photos.map(\.id) == ["folder/near.jpg"])
        }
    }

    @Test("a search that has looked before another pin's places came lists nothing that is false by then")
    func race() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(1)
            let artwork = Part.place("catalog/artwork", 60.0009)
            _ = try await service.search.searchAlbums(Part.part("p1", places: [artwork]), service.peerOptions)
            let early = try #require(
                try await service.store.read { transaction throws(SQLError) in try transaction.pinPhotos("p1") })
            try await search(Part.part("p2", places: [Part.place("catalog/chapel", 60.0001)]), service)
            try await service.store.write { transaction throws(SQLError) in
                try transaction.listPinPhotos(early, for: "p1", at: 0)
            }
            #expect(try await service.album("place/catalog/artwork").album?.summary == AlbumSummary(state: .empty))
        }
    }
}
