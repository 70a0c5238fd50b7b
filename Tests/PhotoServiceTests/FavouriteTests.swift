import PhotoContracts
import Daemon
import EventLoops
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P27 Favourites")
struct FavouriteTests {
    /// Photos of two networks.
    private func with(_ body: (RunningPhotoService) async throws -> Void) async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(3)
            let mine = PhotoContracts.Photo(
                id: "mine/1", title: "Snow", position: Coordinate(latitude: 60, longitude: 25), author: "Ann")
            _ = try await service.put(mine)
            try await body(service)
        }
    }

    @Test("one is added once, however often; the newest is first; each account has its own")
    func listed() async throws {
        try await with { service in
            for id in ["folder/001.jpg", "mine/1", "folder/001.jpg"] {
                #expect(try await service.change(id, .add))
            }
            let favourites = try await service.favourites()
            #expect(favourites.map(\.photo?.id) == ["mine/1", "folder/001.jpg"])
            #expect(favourites.map(\.placeName) == ["Kruununhaka", "Kruununhaka"])
            #expect(favourites.allSatisfy { $0.photo?.favourite == true && $0.addedTime != nil })
            #expect(try await service.favourites(of: "bob").isEmpty)
            #expect(try await service.photo("mine/1", of: "bob").favourite == false)
            #expect(try await service.change("mine/1", .remove) == false)
            #expect(try await service.favourites().map(\.photo?.id) == ["folder/001.jpg"])
        }
    }

    @Test("they come in pages, and of some networks alone")
    func paged() async throws {
        try await with { service in
            let ids = ["folder/001.jpg", "mine/1", "folder/002.jpg", "folder/003.jpg"]
            for id in ids { _ = try await service.change(id, .add) }
            var (request, pages) = (ListFavouritesRequest(pageSize: 2), [[String?]]())
            repeat {
                let answer = try await service.photos.listFavourites(request, service.options)
                pages.append(answer.favourites.map(\.photo?.id))
                request.pageToken = answer.nextPageToken
            } while !request.pageToken.isEmpty
            #expect(pages == [["folder/003.jpg", "folder/002.jpg"], ["mine/1", "folder/001.jpg"]])
            let mine = try await service.photos.listFavourites(
                ListFavouritesRequest(networks: ["mine", "flickr"]), service.options)
            #expect(mine.favourites.map(\.photo?.id) == ["mine/1"])
            let one = try await service.photos.listFavourites(ListFavouritesRequest(pageSize: 1), service.options)
            let mixed = ListFavouritesRequest(pageToken: one.nextPageToken, networks: ["mine"])
            let error = try await errorOf { try await service.photos.listFavourites(mixed, service.options) }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test("it is toggled, and a retry of the same change toggles nothing")
    func toggled() async throws {
        try await with { service in
            let id = "01a1f8cb-6901-7c14-b2c1-5071771f994f"
            var states: [Bool] = []
            for request in [id, id, ""] {
                states.append(try await service.change("mine/1", .toggle, requestID: request))
            }
            #expect(states == [true, true, false])
            #expect(try await service.favourites().isEmpty)
        }
    }

    @Test("whoever watches an album sees the star of the own account")
    func watched() async throws {
        try await with { service in
            try await service.addPin()
            try await service.finishSearches()
            let watch = Task {
                try await service.watch("pin/p1") { $0.photos.contains { $0.id == "folder/001.jpg" && $0.favourite } }
            }
            #expect(try await service.change("folder/001.jpg", .add))
            try await watch.value
            #expect(try await service.album("pin/p1").photos.filter(\.favourite).map(\.id) == ["folder/001.jpg"])
        }
    }

    /// What is sent to watches: whether the first photo is a favourite; nil where nothing is sent.
    private func news(for watches: inout [AlbumWatch], _ service: RunningPhotoService) async throws -> [Bool?] {
        var news: [Bool?] = []
        for index in watches.indices {
            let delta = try await service.store.delta(for: watches[index])
            if let delta { watches[index].sent(delta) }
            guard case .album(let answer, _)? = delta else {
                news.append(nil)
                continue
            }
            news.append(answer.photos.first { $0.photo.id.text == "folder/001.jpg" }?.photo.isFavourite)
        }
        return news
    }

    @Test("all watches of the own account are told of a star that comes or goes, and those of others nothing")
    func others() async throws {
        try await with { service in
            let place = AlbumSearchTests.place("catalog/a")
            try await service.addPin(places: [place])
            let part = AlbumSearchTests.part("p2", places: [place])
            _ = try await service.search.searchAlbums(part, service.peerOptions(of: "bob"))
            try await service.finishSearches()
            let subject = AlbumSubject.place("catalog/a")
            var (anns, bobs) = (
                [AlbumWatch(.pin("p1"), account: "ann", after: 0), AlbumWatch(subject, account: "ann", after: 0)],
                [AlbumWatch(.pin("p2"), account: "bob", after: 0), AlbumWatch(subject, account: "bob", after: 0)]
            )
            let early = (try await news(for: &anns, service), try await news(for: &bobs, service))
            #expect(early.0 == [false, false] && early.1 == [false, false])
            for (change, isStar) in [(FavouriteChange.add, true), (.remove, false)] {
                #expect(try await service.change("folder/001.jpg", change) == isStar)
                let told = (try await news(for: &anns, service), try await news(for: &bobs, service))
                #expect(told.0 == [isStar, isStar] && told.1 == [nil, nil])
                let more = try await news(for: &anns, service)
                #expect(more == [nil, nil])
            }
            // Who comes back gets a place's album whole: nothing says which stars it knows.
            var late = [AlbumWatch(subject, account: "ann", after: anns[1].version)]
            let again = try await news(for: &late, service)
            #expect(again == [false])
        }
    }

    @Test("it outlasts its pin and its file, with its picture; when it is none any more it goes")
    func outlasting() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                #expect(try await service.change("folder/a.jpg", .add))
                let request = ForgetPinRequest(pinId: "p1")
                _ = try await service.search.forgetPin(request, service.peerOptions)
                files.remove("a.jpg")
                try files.add("b.jpg", 61)
                _ = try await service.scan()
                try await service.sweep()
                let kept = try #require(try await service.favourites().first?.photo)
                #expect(kept.author == "A. Person" && kept.licence == "CC0" && !kept.thumbnailUrl.isEmpty)
                #expect(try await service.picture("folder/a.jpg", .thumbnail).bytes.count > 100)
                _ = try await service.change("folder/a.jpg", .remove)
                try await service.sweep()
                let error = try await errorOf { try await service.photo("folder/a.jpg", of: "ann") }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test("what makes no sense is refused by name")
    func refused() async throws {
        try await with { service in
            let long = String(repeating: "x", count: 201)
            let requests = [
                (ChangeFavouriteRequest(photoId: "nothing"), "photo_id"),
                (ChangeFavouriteRequest(photoId: "mine/1", change: .init(rawValue: 9)), "change"),
                (ChangeFavouriteRequest(photoId: "mine/1", placeName: long), "place_name"),
            ]
            for (request, field) in requests {
                let error = try await errorOf { try await service.photos.changeFavourite(request, service.options) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(field) == true, "\(field)")
            }
            let missing = try await errorOf { try await service.change("mine/2", .add) }
            #expect(missing?.code == .notFound)
            let list = ListFavouritesRequest(networks: ["Not One"])
            let error = try await errorOf { try await service.photos.listFavourites(list, service.options) }
            #expect(error?.message.contains("networks[0]") == true)
        }
    }
}

extension RunningPhotoService {
    /// Changes a favourite of "ann"; gives whether it is one now.
    func change(_ id: String, _ change: FavouriteChange, requestID: String = "") async throws -> Bool {
        let request = ChangeFavouriteRequest(
            photoId: id, change: change, placeName: "Kruununhaka", requestId: requestID)
        return try await photos.changeFavourite(request, options).favourite
    }

    func favourites(of account: String = "ann") async throws -> [PhotoContracts.Favourite] {
        try await photos.listFavourites(ListFavouritesRequest(), options(of: account)).favourites
    }

    func photo(_ id: String, of account: String) async throws -> PhotoContracts.Photo {
        try #require(try await photos.getPhoto(GetPhotoRequest(id: id), options(of: account)).photo)
    }

    /// Sweeps, and waits for the end.
    func sweep() async throws {
        let before = try await nextSweep(after: store.clock.unixMilliseconds + 1_000_000)
        try await store.startSweep()
        _ = try await nextSweep(after: before)
    }

    /// Waits until the next sweep is due after a time; gives when.
    private func nextSweep(after time: Int64) async throws -> Int64 {
        let end = MonotonicTime.now + .seconds(60)
        while .now < end {
            let due = try await store.read { transaction throws(SQLError) in
                try transaction.first("SELECT next_ms FROM jobs WHERE kind = 'sweep'") { row throws(SQLError) in
                    try row.integer(0)
                } ?? 0
            }
            if due > time { return due }
            await Task.yield()
        }
        throw RPCError(.deadlineExceeded, "there was no sweep")
    }
}
