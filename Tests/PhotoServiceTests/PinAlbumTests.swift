import PhotoContracts
import Geo
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P17 P18 The albums of a pin and its places")
struct PinAlbumTests {
    private typealias Part = AlbumSearchTests

    private func search(_ part: SearchAlbumsRequest, _ service: RunningPhotoService) async throws {
        _ = try await service.search.searchAlbums(part, service.peerOptions)
        try await service.finishSearches()
    }

    @Test("a page has as many photos as the .proto says when a request doesn't")
    func pageSize() { #expect(GetAlbumRequest.pageSizeDefault == UInt32(AlbumPage.defaultSize)) }

    @Test("the nearest 24 photos of the pin, all of them waiting for their pictures; all photos of its places")
    func filled() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(60)
            // 60.003 is where 030.jpg is; within a hundred metres are nine on each side.
            let places = [Part.place("catalog/a", 60.003), Part.place("catalog/far", 61)]
            try await search(Part.part(places: places), service)
            let pin = try await service.album("pin/p1")
            #expect(pin.photos.map(\.id) == ids(1...24))
            #expect(pin.photos.allSatisfy { $0.state == .waiting })
            #expect(pin.album?.summary == AlbumSummary(state: .downloading, photoCount: 24))
            #expect(pin.album?.collection == 1)
            let place = try await service.album("place/catalog/a")
            #expect(place.album?.summary == AlbumSummary(state: .listed, photoCount: 17))
            #expect(place.photos.first?.id == "folder/030.jpg")
            #expect(place.photos.map(\.id).sorted() == ids(22...38))
            let far = try await service.album("place/catalog/far")
            #expect(far.album?.summary == AlbumSummary(state: .empty))
        }
    }

    @Test("R5 a stop beside a castle gets no photos: they go to the castle, and to the pin whatever places have")
    func minor() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(10)
            // Each photo is nearer to the stop.
            var stop = Part.place("catalog/stop", 60.0004)
            let castle = Part.place("catalog/castle", 60.0005, 25.001)
            try await search(Part.part(places: [stop, castle]), service)
            #expect(try await service.album("place/catalog/stop").photos.count == 10)
            stop.minor = true
            try await search(Part.part(places: [stop, castle]), service)
            #expect(try await service.album("place/catalog/stop").album?.summary == AlbumSummary(state: .empty))
            #expect(try await service.album("place/catalog/castle").photos.map(\.id).sorted() == ids(1...10))
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids(1...10))
            // One that does not know it changes nothing.
            stop.minor = nil
            try await search(Part.part("p2", places: [stop]), service)
            #expect(try await service.album("place/catalog/stop").photos.isEmpty)
            #expect(try await service.album("pin/p2").photos.count == 10)
            stop.minor = false
            try await search(Part.part("p2", places: [stop]), service)
            #expect(try await service.album("place/catalog/stop").photos.count == 10)
            #expect(try await service.album("place/catalog/castle").photos.isEmpty)
        }
    }

    @Test("a further search adds nothing, a move adds the nearest there and keeps the old ones in their order")
    func moved() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(60)
            for _ in 1...2 { try await search(Part.part(), service) }
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids(1...24))
            try await search(Part.part(generation: 2, 60.006), service)
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids(1...24) + ids((37...60).reversed()))
        }
    }

    @Test("a photo goes to one place only; places that come later get theirs too")
    func places() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(10)
            try await search(Part.part(places: [Part.place("catalog/a", 60.0002)]), service)
            #expect(try await service.album("place/catalog/a").photos.count == 10)
            try await search(Part.part(places: [Part.place("catalog/b", 60.0009)]), service)
            #expect(try await service.album("place/catalog/b").photos.map(\.id) == ids([9, 8, 10, 7, 6]))
            #expect(try await service.album("place/catalog/a").photos.map(\.id) == ids([2, 1, 3, 4, 5]))
        }
    }

    @Test("an album without photos gets those that a scan finds later")
    func late() async throws {
        try await RunningPhotoService.with { service in
            try await search(Part.part(), service)
            #expect(try await service.album("pin/p1").album?.summary?.state == .empty)
            try await service.addFolderPhotos(3)
            try await search(Part.part(), service)
            #expect(try await service.album("pin/p1").photos.count == 3)
        }
    }

    @Test("a photo put in by a client is in no album")
    func networks() async throws {
        try await RunningPhotoService.with { service in
            _ = try await service.put(photo("mine/1", 60, 25))
            try await search(Part.part(), service)
            #expect(try await service.album("pin/p1").album?.summary?.state == .empty)
        }
    }

    @Test("the generation is told when its search has ended")
    func generation() async throws {
        try await RunningPhotoService.with { service in
            _ = try await service.search.searchAlbums(Part.part(generation: 7), service.peerOptions)
            let before = try await service.store.summaries(after: 0)
            try await service.finishSearches()
            let after = try await service.store.summaries(after: before.version)
            #expect(before.albums.map(\.album.completeGeneration) == [0])
            #expect(after.albums.map(\.album.completeGeneration) == [7])
        }
    }

    @Test("while more places follow the pin's own photos are found, and the generation is not told")
    func before() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(1)
            try await search(Part.part(generation: 7, morePlacesFollow: true), service)
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids([1]))
            #expect(try await service.store.summaries(after: 0).albums.map(\.album.completeGeneration) == [0])
            try await search(Part.part(generation: 7, places: [Part.place("catalog/a")]), service)
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids([1]))
            let pins = try await service.store.summaries(after: 0).albums.filter { $0.album.subject == .pin("p1") }
            #expect(pins.map(\.album.completeGeneration) == [7])
        }
    }

    @Test("of another account, or of nothing that a pin has found, there is none")
    func access() async throws {
        try await RunningPhotoService.with { service in
            try await search(Part.part(places: [Part.place("catalog/a")]), service)
            for (subject, account) in [("pin/p1", "bob"), ("pin/p2", "ann"), ("place/catalog/b", "ann")] {
                let error = try await errorOf { try await service.album(subject, of: account) }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test("of a place only accounts share that have a pin there: others can't find out where pins are")
    func sharing() async throws {
        try await RunningPhotoService.with { service in
            let known = "place/catalog/a"
            try await search(Part.part(places: [Part.place("catalog/a")]), service)
            #expect(try await service.album(known).album?.summary?.state == .empty)
            let bob = service.options(of: "bob")
            for (kind, id, never) in [("place", "catalog/a", "catalog/z"), ("pin", "p1", "p9")] {
                for call in Self.calls(service, bob) {
                    let error = try await errorOf { try await call("\(kind)/\(id)") }
                    let expected = try await errorOf { try await call("\(kind)/\(never)") }
                    #expect(error?.code == .notFound && expected?.code == .notFound)
                    #expect(error?.message.replacing(id, with: never) == expected?.message)
                }
            }
            let watch = AlbumWatch(.place("catalog/a"), account: "bob", after: 0)
            #expect(try await service.store.delta(for: watch) == nil)
            _ = try await service.search.searchAlbums(
                Part.part("p2", places: [Part.place("catalog/a")]), service.peerOptions(of: "bob"))
            #expect(try await service.album(known, of: "bob").album?.summary?.state == .empty)
            _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p2"), service.peerOptions(of: "bob"))
            #expect(try await errorOf { try await service.album(known, of: "bob") }?.code == .notFound)
            #expect(try await service.album(known).album?.summary?.state == .empty)
        }
    }

    /// All that an account can ask about an album.
    private static func calls(
        _ service: RunningPhotoService, _ options: CallOptions
    ) -> [(String) async throws -> Void] {
        let photos = service.photos
        return [
            { _ = try await photos.getAlbum(GetAlbumRequest(subject: $0), options) },
            { _ = try await photos.openAlbum(OpenAlbumRequest(subject: $0), options) },
            { _ = try await photos.newCollection(NewCollectionRequest(subject: $0), options) },
            { _ = try await photos.removePhotos(RemovePhotosRequest(subject: $0, photoIds: ids([1])), options) },
            { _ = try await photos.restorePhotos(RestorePhotosRequest(subject: $0), options) },
        ]
    }

    @Test("opening a place's album asks for its pictures, once")
    func opening() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(3)
            let far = SearchAlbumsRequest(
                pinId: "p1", generation: 1, centre: BaseContracts.Coordinate(latitude: 60.0002, longitude: 25),
                radiusM: 30,
                places: [Part.place("catalog/a")], isLast: true)
            try await search(far, service)
            try await service.settle(names(1...3), .unspecified)
            for _ in 1...2 {
                let request = OpenAlbumRequest(subject: "place/catalog/a")
                let opened = try await service.photos.openAlbum(request, service.options)
                #expect(opened.album?.summary == AlbumSummary(state: .downloading, photoCount: 3))
                #expect(opened.photos.map(\.state) == [.waiting, .waiting, .waiting])
            }
            let jobs = try await service.store.read { transaction throws(SQLError) in try transaction.jobCount("copy") }
            #expect(jobs == 3)
        }
    }

    @Test("photos come in pages")
    func pages() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(24)
            try await search(Part.part(), service)
            var (found, token): ([String], String) = ([], "")
            for expected in [10, 10, 4] {
                let request = GetAlbumRequest(subject: "pin/p1", pageSize: 10, pageToken: token)
                let answer = try await service.photos.getAlbum(request, service.options)
                #expect(answer.photos.count == expected)
                #expect(answer.nextPageToken.isEmpty == (expected == 4))
                found += answer.photos.map(\.id)
                token = answer.nextPageToken
            }
            #expect(found == ids(1...24))
        }
    }

    @Test("those that stand for it come first if one wants: favourites, then people's own, and broken ones last")
    func best() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(6)
            try await search(Part.part(), service)
            try await service.store.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE photos SET state = 4 WHERE id = ?1", ids(2...2)[0])
            }
            for id in ids([2, 5]) { _ = try await service.change(id, .add) }
            let request = GetAlbumRequest(subject: "pin/p1", pageSize: 3, bestFirst: true)
            let answer = try await service.photos.getAlbum(request, service.options)
            #expect(answer.photos.map(\.id) == ids([5, 1, 3]) && answer.nextPageToken.isEmpty)
            let all = GetAlbumRequest(subject: "pin/p1", bestFirst: true)
            #expect(
                try await service.photos.getAlbum(all, service.options).photos.map(\.id) == ids([5, 1, 3, 4, 6, 2]))
            for wrong in [
                GetAlbumRequest(subject: "pin/p1", removed: true, bestFirst: true),
                GetAlbumRequest(subject: "pin/p1", pageToken: "x", bestFirst: true),
            ] {
                let error = try await errorOf { try await service.photos.getAlbum(wrong, service.options) }
                #expect(error?.code == .invalidArgument && error?.message.contains("best_first") == true)
            }
        }
    }
}

extension RunningPhotoService {
    func album(_ subject: String, of account: String = "ann") async throws -> GetAlbumResponse {
        try await photos.getAlbum(GetAlbumRequest(subject: subject), options(of: account))
    }
}
