import PhotoContracts
import Daemon
import RPC
import Storage
import TestSupport
import Testing

@testable import PhotoService

@Suite("P20 New Collection")
struct NewCollectionTests {
    private typealias Part = AlbumSearchTests

    /// A pin with as many photos around it, of which it shows the nearest 24, all of them there.
    private func filled(_ count: Int, _ service: RunningPhotoService) async throws {
        try await service.addFolderPhotos(count)
        _ = try await service.search.searchAlbums(
            Part.part(places: [Part.place("catalog/a", 60.001)]), service.peerOptions)
        try await service.finishSearches()
        try await service.settle(names(1...count), .ready)
    }

    private func renew(
        _ service: RunningPhotoService, _ subject: String = "pin/p1", size: UInt32? = nil, includeRemoved: Bool = false,
        id: String = ""
    ) async throws -> PhotoContracts.Album {
        let request = NewCollectionRequest(
            subject: subject, size: size, includeRemoved: includeRemoved, requestId: id)
        return try #require(try await service.photos.newCollection(request, service.options).album)
    }

    @Test("other photos than before while there are any, then those shown the longest ago, told as repeated")
    func wraps() async throws {
        try await RunningPhotoService.with { service in
            try await filled(60, service)
            let expected = [ids(25...48), ids(49...60) + ids(1...12), ids(13...36)]
            for (number, photos) in expected.enumerated() {
                let asked = try await renew(service)
                #expect(asked.summary?.state == .searching)
                #expect(asked.collection == UInt32(number + 1))
                try await service.finishSearches()
                let album = try await service.album("pin/p1")
                #expect(album.photos.map(\.id) == photos)
                #expect(album.album?.repeatedCount == [0, 12, 24][number])
                #expect(album.album?.collection == UInt32(number + 2))
                #expect(album.album?.summary?.state == .complete)
            }
        }
    }

    @Test("shows the old photos until the new ones are known, and keeps them when there are none")
    func keeps() async throws {
        try await RunningPhotoService.with { service in
            try await filled(3, service)
            _ = try await renew(service, size: 2)
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids(1...3))
            try await service.finishSearches()
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids(1...2))
            try await service.store.write { transaction throws(SQLError) in
                _ = try transaction.execute("UPDATE photos SET cell = -1")
            }
            _ = try await renew(service)
            try await service.finishSearches()
            let album = try await service.album("pin/p1")
            #expect(album.photos.map(\.id) == ids(1...2))
            #expect(album.album?.warning == "no other photos were found")
            #expect(album.album?.collection == 2)
            #expect(album.album?.summary?.state == .complete)
        }
    }

    @Test("is refused while the album is being filled or was never opened, and a second one while the first goes on")
    func refused() async throws {
        try await RunningPhotoService.with { service in
            try await filled(30, service)
            let listed = try await errorOf { try await renew(service, "place/catalog/a") }
            #expect(listed?.code == .failedPrecondition)
            #expect(listed?.message.contains("never opened") == true)
            _ = try await renew(service)
            let second = try await errorOf { try await renew(service) }
            #expect(second?.code == .failedPrecondition)
        }
    }

    @Test("asked for again under the same name it begins once")
    func again() async throws {
        try await RunningPhotoService.with { service in
            try await filled(60, service)
            let first = try await renew(service, id: "x")
            #expect(try await renew(service, id: "x") == first)
            try await service.finishSearches()
            #expect(try await renew(service, id: "x") == first)
            try await service.finishSearches()
            #expect(try await service.album("pin/p1").album?.collection == 2)
        }
    }

    @Test("leaves out what was removed, unless that is wanted back")
    func removed() async throws {
        try await RunningPhotoService.with { service in
            try await filled(3, service)
            let removal = RemovePhotosRequest(subject: "pin/p1", photoIds: ids([1, 2, 3]))
            let empty = try await service.photos.removePhotos(removal, service.options).album
            #expect(empty?.summary == AlbumSummary(state: .empty))
            #expect(empty?.removedCount == 3)
            _ = try await renew(service)
            try await service.finishSearches()
            let hidden = try await service.album("pin/p1")
            #expect(hidden.photos.isEmpty)
            #expect(hidden.album?.removedCount == 3)
            _ = try await renew(service, includeRemoved: true)
            try await service.finishSearches()
            let back = try await service.album("pin/p1")
            #expect(back.photos.map(\.id) == ids(1...3))
            #expect(back.album?.removedCount == 0)
        }
    }

    @Test("of a place: once an hour over all accounts, of the photos that are nearest to it")
    func place() async throws {
        let clock = ManualClock()
        try await RunningPhotoService.with(clock: clock.clock) { service in
            try await filled(30, service)
            _ = try await service.photos.openAlbum(OpenAlbumRequest(subject: "place/catalog/a"), service.options)
            _ = try await renew(service, "place/catalog/a", size: 5)
            try await service.finishSearches()
            #expect(try await service.album("place/catalog/a").photos.count == 17, "others see it too")
            clock.move(by: 3_599_000)
            let early = try await errorOf { try await renew(service, "place/catalog/a") }
            #expect(early?.code == .failedPrecondition)
            #expect(early?.message.contains("1 minutes") == true)
            clock.move(by: 1_000)
            _ = try await renew(service, "place/catalog/a")
            try await service.finishSearches()
            #expect(try await service.album("place/catalog/a").photos.map(\.id).sorted() == ids(2...18))
        }
    }

    @Test("of a place has what one account has removed, for the others")
    func removedFromPlace() async throws {
        try await RunningPhotoService.with { service in
            try await filled(30, service)
            let (place, bob) = ("place/catalog/a", service.options(of: "bob"))
            _ = try await service.search.searchAlbums(
                Part.part("p2", places: [Part.place("catalog/a", 60.001)]), service.peerOptions(of: "bob"))
            _ = try await service.photos.openAlbum(OpenAlbumRequest(subject: place), service.options)
            let all = try await service.album(place).photos.map(\.id)
            let removal = RemovePhotosRequest(subject: place, photoIds: all)
            _ = try await service.photos.removePhotos(removal, bob)
            #expect(try await service.album(place, of: "bob").photos.isEmpty)
            _ = try await service.photos.newCollection(NewCollectionRequest(subject: place), bob)
            try await service.finishSearches()
            #expect(try await service.album(place).photos.map(\.id).sorted() == all.sorted())
            #expect(try await service.album(place, of: "bob").photos.isEmpty)
        }
    }

    @Test("of a place without photos leaves its album to those that a later scan finds")
    func emptyPlace() async throws {
        try await RunningPhotoService.with { service in
            let part = Part.part(places: [Part.place("catalog/a", 60.0002)])
            _ = try await service.search.searchAlbums(part, service.peerOptions)
            try await service.finishSearches()
            _ = try await renew(service, "place/catalog/a")
            try await service.finishSearches()
            let empty = try await service.album("place/catalog/a").album
            #expect(empty?.summary?.state == .empty)
            #expect(empty?.warning == "no other photos were found")
            try await service.addFolderPhotos(3)
            // As a scan does at its end.
            try await service.store.write { transaction throws(SQLError) in try transaction.searchAgain(at: 0) }
            try await service.finishSearches()
            let album = try await service.album("place/catalog/a")
            #expect(album.photos.map(\.id).sorted() == ids(1...3))
            #expect(album.album?.summary?.state == .downloading)
            #expect(album.album?.warning == "")
        }
    }

    @Test("a size out of range is refused", arguments: [UInt32(0), 251])
    func size(size: UInt32) async throws {
        try await RunningPhotoService.with { service in
            let error = try await errorOf { try await renew(service, size: size) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("1 to 250") == true)
        }
    }
}
