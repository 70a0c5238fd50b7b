import PhotoContracts
import Geo
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P17 The pin service is told of every album that changes")
struct SummaryTests {
    private func watch(
        _ request: WatchSummariesRequest, _ service: RunningPhotoService
    ) -> ResponseStream<WatchSummariesResponse> {
        service.search.watchSummaries(request, service.peerOptions(of: nil))
    }

    @Test("first all that there is, then what changes, from a version on only what is newer")
    func changes() async throws {
        try await RunningPhotoService.with { service in
            _ = try await service.search.searchAlbums(AlbumSearchTests.part("p1"), service.peerOptions)
            let told = watch(WatchSummariesRequest(), service).makeAsyncIterator()
            let first = try #require(try await told.next())
            #expect(first.albums.map(\.subject) == ["pin/p1"])
            #expect(first.albums.first?.summary?.state == .searching)
            #expect(first.albums.first?.generation == 0)
            #expect(first.epoch > 0)
            _ = try await service.search.searchAlbums(AlbumSearchTests.part("p2"), service.peerOptions)
            let second = try #require(try await told.next())
            #expect(second.albums.map(\.subject) == ["pin/p2"])
            #expect(second.version > first.version)
            let request = WatchSummariesRequest(fromVersion: first.version, epoch: first.epoch)
            let again = watch(request, service).makeAsyncIterator()
            #expect(try await again.next() == second)
        }
    }

    @Test("all of it to one that knows other data, or a version that was never")
    func epochs() async throws {
        try await RunningPhotoService.with { service in
            let told = watch(WatchSummariesRequest(), service).makeAsyncIterator()
            let epoch = try #require(try await told.next()?.epoch)
            _ = try await service.search.searchAlbums(AlbumSearchTests.part("p1"), service.peerOptions)
            for request in [
                WatchSummariesRequest(fromVersion: 100, epoch: epoch ^ 1),
                WatchSummariesRequest(fromVersion: 1_000_000, epoch: epoch),
            ] {
                let again = watch(request, service).makeAsyncIterator()
                #expect(try await again.next()?.albums.map(\.subject) == ["pin/p1"])
            }
        }
    }

    @Test("at most 500 in one answer, none left out and none twice")
    func pages() async throws {
        try await RunningPhotoService.with { service in
            let names = (0..<1_100).map { "p\($0)" }
            _ = try await concurrently(names) { name in
                try await service.search.searchAlbums(AlbumSearchTests.part(name), service.peerOptions)
            }
            let told = watch(WatchSummariesRequest(), service).makeAsyncIterator()
            var found: [String] = []
            for expected in [500, 500, 100] {
                let answer = try #require(try await told.next())
                #expect(answer.albums.count == expected)
                found += answer.albums.map(\.subject)
            }
            #expect(found.sorted() == names.map { "pin/\($0)" }.sorted())
        }
    }

    @Test("an album of a place is told again when another pin names the place, which has not heard of it yet")
    func namedAgain() async throws {
        try await RunningPhotoService.with { service in
            let place = KnownPlace(id: "catalog/1", position: try Geo.Coordinate(latitude: 60, longitude: 25))
            try await service.store.write { transaction throws(SQLError) in
                try transaction.insertAlbum(of: place, isOpened: false)
            }
            let told = watch(WatchSummariesRequest(), service).makeAsyncIterator()
            #expect(try await told.next()?.albums.map(\.subject) == ["place/catalog/1"])
            let part = AlbumSearchTests.part("p1", places: [AlbumSearchTests.place("catalog/1")])
            _ = try await service.search.searchAlbums(part, service.peerOptions)
            #expect(try await told.next()?.albums.map(\.subject).sorted() == ["pin/p1", "place/catalog/1"])
        }
    }

    @Test("all albums of the places that one search names, also when they are more than one answer holds")
    func manyPlaces() async throws {
        try await RunningPhotoService.with { service in
            let position = try Geo.Coordinate(latitude: 60, longitude: 25)
            let ids = (0..<700).map { "catalog/\($0)" }
            try await service.store.write { transaction throws(SQLError) in
                for id in ids {
                    try transaction.insertAlbum(of: KnownPlace(id: id, position: position), isOpened: false)
                }
            }
            let part = AlbumSearchTests.part("p1", places: ids.map { AlbumSearchTests.place($0) })
            _ = try await service.search.searchAlbums(part, service.peerOptions)
            let told = watch(WatchSummariesRequest(), service).makeAsyncIterator()
            var found: [String] = []
            // The pin's own album changes last.
            while found.last != "pin/p1" { found += try #require(try await told.next()).albums.map(\.subject) }
            #expect(found.sorted() == (ids.map { "place/\($0)" } + ["pin/p1"]).sorted())
        }
    }

    @Test("no account is told, whatever its name, nor may it search or forget")
    func permission() async throws {
        try await RunningPhotoService.with { service in
            for account in ["ann", "pin-service", "@pin-service"] {
                let options = service.options(of: account)
                let told = try await errorOf {
                    for try await _ in service.search.watchSummaries(WatchSummariesRequest(), options) {}
                }
                #expect(told?.code == .permissionDenied)
                #expect(
                    told?.message.hasSuffix("/WatchSummaries needs the role service; this caller has user and admin")
                        == true)
                let part = AlbumSearchTests.part("p1")
                let searched = try await errorOf { try await service.search.searchAlbums(part, options) }
                let forgotten = try await errorOf {
                    try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), options)
                }
                #expect([searched?.code, forgotten?.code] == [.permissionDenied, .permissionDenied])
            }
        }
    }

    @Test("a service that searches or forgets says for which account")
    func accountless() async throws {
        try await RunningPhotoService.with { service in
            let error = try await errorOf {
                try await service.search.searchAlbums(AlbumSearchTests.part("p1"), service.peerOptions(of: nil))
            }
            #expect(error?.code == .permissionDenied)
            #expect(error?.message.hasSuffix("/SearchAlbums is called for an account; pin-service named none") == true)
        }
    }
}
