import PhotoContracts
import RPC
import TestSupport
import Testing

@testable import PhotoService

@Suite("P19 Whoever watches an album is told of what changes in it")
struct WatchAlbumTests {
    private typealias Part = AlbumSearchTests

    private func search(_ service: RunningPhotoService, photos: Int = 3) async throws {
        try await service.addFolderPhotos(photos)
        _ = try await service.search.searchAlbums(Part.part(places: [Part.place("catalog/a")]), service.peerOptions)
        try await service.finishSearches()
    }

    private func watch(
        _ service: RunningPhotoService, _ subject: String, from version: UInt64 = 0, of account: String = "ann"
    ) -> ResponseStream<WatchAlbumResponse> {
        let request = WatchAlbumRequest(subject: subject, fromVersion: version)
        return service.photos.watchAlbum(request, service.options(of: account))
    }

    @Test("first all of it, then the photos that changed, then all of it again when others are shown")
    func changes() async throws {
        try await RunningPhotoService.with { service in
            try await search(service)
            let told = watch(service, "pin/p1").makeAsyncIterator()
            let first = try #require(try await told.next())
            #expect(first.isWhole)
            #expect(first.photos.map(\.id) == ids(1...3))
            try await service.settle(names([2]), .ready)
            let second = try #require(try await told.next())
            #expect(!second.isWhole)
            #expect(second.photos.map(\.id) == ids([2]))
            #expect(second.photos.map(\.state) == [.ready])
            #expect(second.album?.summary?.readyCount == 1)
            let removal = RemovePhotosRequest(subject: "pin/p1", photoIds: ids([1]))
            _ = try await service.photos.removePhotos(removal, service.options)
            let third = try #require(try await told.next())
            #expect(third.isWhole)
            #expect(third.photos.map(\.id) == ids(2...3))
            #expect([first, second, third].allSatisfy { $0.version == $0.album?.version && $0.version > 0 })
            let stream = watch(service, "pin/p1", from: first.version)
            let late = try #require(try await stream.makeAsyncIterator().next())
            #expect(late == third)
        }
    }

    @Test("of a pin that is not known yet as soon as it is; of one that goes, that it is gone, and then the end")
    func comesAndGoes() async throws {
        try await RunningPhotoService.with { service in
            let told = watch(service, "pin/p1").makeAsyncIterator()
            _ = try await service.search.searchAlbums(Part.part(), service.peerOptions)
            let first = try #require(try await told.next())
            #expect(first.album?.summary?.state == .searching)
            _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), service.peerOptions)
            let last = try #require(try await told.next())
            let gone = WatchAlbumResponse(
                album: PhotoContracts.Album(subject: "pin/p1"), deleted: true, version: first.version)
            #expect(last == gone)
            #expect(try await told.next() == nil)
            let late = watch(service, "pin/p1", from: first.version).makeAsyncIterator()
            #expect(try await late.next() == gone)
        }
    }

    @Test("nothing of another account's pin; of a place, what the account itself has removed")
    func accounts() async throws {
        try await RunningPhotoService.with { service in
            try await search(service)
            _ = try await service.search.searchAlbums(
                Part.part("p2", places: [Part.place("catalog/a")]), service.peerOptions(of: "bob"))
            let removal = RemovePhotosRequest(subject: "place/catalog/a", photoIds: ids([1]))
            _ = try await service.photos.removePhotos(removal, service.options(of: "bob"))
            let pin = AlbumWatch(.pin("p1"), account: "bob", after: 0)
            #expect(try await service.store.delta(for: pin) == nil)
            let told = watch(service, "place/catalog/a", of: "bob").makeAsyncIterator()
            let first = try #require(try await told.next())
            #expect(first.album?.subject == "place/catalog/a")
            #expect(first.photos.map(\.id) == ids(2...3))
        }
    }

    @Test("ends when the service stops")
    func stops() async throws {
        try await RunningPhotoService.with { service in
            try await search(service)
            let told = watch(service, "pin/p1").makeAsyncIterator()
            _ = try await told.next()
            service.store.leave()
            let error = try await errorOf { try await told.next() }
            #expect(error?.code == .unavailable)
        }
    }

    @Test("bad input is refused with the field's name")
    func badInput() async throws {
        try await RunningPhotoService.with { service in
            let bad: [(String, UInt64, String)] = [
                ("", 0, "subject"), ("x", 0, "subject"), ("pin/p1", .max, "from_version"),
            ]
            for (subject, version, field) in bad {
                let stream = watch(service, subject, from: version)
                let error = try await errorOf { try await stream.makeAsyncIterator().next() }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.hasPrefix("\(field): ") == true)
            }
        }
    }
}
