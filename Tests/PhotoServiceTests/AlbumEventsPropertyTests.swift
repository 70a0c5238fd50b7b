import Geo
import Storage
import Stores
import TestTools
import Testing

@testable import PhotoService

@Suite("P18 P19 P20 P21 Whatever happens to an album, and in whichever order", .timeLimit(.minutes(5)))
struct AlbumEventsPropertyTests {
    private static let subject = AlbumSubject.pin("p1")

    /// An album as its account sees it.
    private struct Seen: Sendable {
        let album: Album
        let photos: [Photo]

        var ids: [PhotoID] { photos.map(\.id) }
        var counted: AlbumCounters {
            AlbumCounters(
                photos: Int64(photos.count), ready: Int64(photos.count { $0.picture.state == .ready }),
                failed: Int64(photos.count { $0.picture.state == .failed }))
        }
    }

    /// What is done to the album at random, and what has to be true of it.
    private struct Game {
        let store: PhotoStore
        var random: SeededGenerator
        var phase = AlbumPhase(isSearching: true, isCollecting: false, isOpened: true, collection: 1)
        var generation: Int64 = 1
        var removed: Set<PhotoID> = []
        var hasTakenOut = false

        func seen() async throws -> Seen {
            try await store.read { transaction throws(SQLError) in
                let page = AlbumPage(subject: subject, account: "ann", size: 250)
                guard let album = try transaction.album(subject, for: "ann") else {
                    throw SQLError(.corrupt, "the album is gone")
                }
                return Seen(album: album, photos: try transaction.shownPhotos(page).map(\.photo))
            }
        }

        private mutating func take(_ event: AlbumEvent, _ counters: AlbumCounters) {
            phase = phase.after(event, counters) ?? phase
        }

        mutating func step() async throws {
            let before = try await seen()
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try await search(before.album.counters)
            case 1, 2: try await list(before)
            case 3: try await wish(before.album)
            case 4: try await collect(before)
            case 5, 6: try await picture(before)
            default: try await removal(before)
            }
        }

        /// The same search again, or one after a move.
        mutating func search(_ counters: AlbumCounters = AlbumCounters()) async throws {
            let isMove = random.chance(0.5)
            if isMove { generation += 1 }
            let centre = try Geo.Coordinate(latitude: 60 + Double(generation % 3) / 100, longitude: 25)
            let part = PinSearch(
                pin: "p1", account: "ann", generation: generation, centre: centre, radiusMetres: 500, places: [],
                isLast: true, morePlacesFollow: false)
            let searched = try await store.write { transaction throws(SQLError) in
                _ = try transaction.recordSearch(part, at: 1)
                return try transaction.album(subject)?.searchedGeneration
            }
            if generation > searched ?? 0 { take(.searchRequested, counters) }
        }

        private mutating func list(_ before: Seen) async throws {
            try await store.write { transaction throws(SQLError) in
                guard let found = try transaction.pinPhotos("p1") else { return }
                try transaction.listPinPhotos(found, for: "p1", at: 1)
            }
            take(.searched(isAwaited: false), before.album.counters)
        }

        private mutating func wish(_ album: Album) async throws {
            let size = Int.random(in: 1...12, using: &random)
            let wish = CollectionWish(size: size, includesRemoved: false, account: "ann")
            let result = try await store.write { transaction throws(SQLError) in
                try transaction.wishCollection(wish, for: album, at: 1)
            }
            let isTaken = (try? result.get()) != nil
            #expect(isTaken == album.state.isFinal)
            if isTaken { take(.collectionRequested, album.counters) }
        }

        private mutating func collect(_ before: Seen) async throws {
            try await store.write { transaction throws(SQLError) in
                guard let candidates = try transaction.candidates(for: subject) else { return }
                try transaction.collect(candidates, for: subject, at: 1)
            }
            let collection = try await seen().album.collection
            take(.collected(hasOthers: collection > phase.collection), before.album.counters)
        }

        /// One picture that is waited for is stored, or can't be had.
        private mutating func picture(_ before: Seen) async throws {
            let waiting = before.photos.filter { $0.picture.state == .waiting }
            guard let photo = waiting.randomElement(using: &random)?.id else { return }
            let isStored = random.chance(0.7)
            try await store.write { transaction throws(SQLError) in
                guard isStored else { return try transaction.setFailed(photo, reason: "it is away") }
                let bytes = StoredBytes(name: BlobName(of: Array(photo.text.utf8)), count: 1)
                let picture = StoredPicture(jpeg: bytes, width: 1, height: 1)
                try transaction.setReady(photo, MadeSizes(pictures: [.thumbnail: picture], placeholder: ""))
            }
        }

        private mutating func removal(_ before: Seen) async throws {
            let isBack = random.chance(0.3)
            let chosen = isBack ? [] : Array(before.ids.shuffled(using: &random).prefix(2))
            guard isBack || !chosen.isEmpty else { return }
            _ = try await store.write { transaction throws(SQLError) in
                isBack
                    ? try transaction.restorePhotos([], to: before.album, for: "ann", at: 1)
                    : try transaction.removePhotos(chosen, from: before.album, for: "ann")
            }
            removed = isBack ? [] : removed.union(chosen)
            hasTakenOut = true
        }
    }

    @Test("its state is the machine's, its counts are its rows', removals stay", arguments: 0..<12)
    func anyOrder(seed: UInt64) async throws {
        try await RunningPhotoService.with { service in
            try await Self.putPhotos(service.store)
            var game = Game(store: service.store, random: SeededGenerator(seed: seed))
            try await game.search()
            var before = try await game.seen()
            for number in 0..<60 {
                game.hasTakenOut = false
                try await game.step()
                let now = try await game.seen()
                #expect(now.album.phase == game.phase, "step \(number)")
                #expect(now.album.state == game.phase.state(now.counted), "step \(number)")
                #expect(now.album.counters == now.counted, "step \(number)")
                #expect(game.removed.isDisjoint(with: now.ids), "step \(number)")
                #expect(now.album.removedCount == Int64(game.removed.count), "step \(number)")
                #expect(now.album.version >= before.album.version && now.album.collection >= before.album.collection)
                if now.album.collection == before.album.collection, !game.hasTakenOut {
                    #expect(now.album.counters.ready >= before.album.counters.ready, "step \(number)")
                    #expect(now.album.counters.failed >= before.album.counters.failed, "step \(number)")
                    #expect(Array(now.ids.prefix(before.ids.count)) == before.ids, "step \(number)")
                }
                before = now
            }
        }
    }

    /// Eight photos around each of three points.
    private static func putPhotos(_ store: PhotoStore) async throws {
        for point in 0..<3 {
            for number in 0..<8 {
                let id = try #require(PhotoID("folder/\(point)-\(number).jpg"))
                let position = try Geo.Coordinate(
                    latitude: 60 + Double(point) / 100 + Double(number) / 10_000, longitude: 25)
                let photo = Photo(
                    id: id, title: "", position: position, credit: Credit(author: "", licence: "", sourceURL: ""),
                    originalURL: "", width: 1, height: 1, takenMilliseconds: nil)
                try await store.write { transaction throws(SQLError) in try transaction.putPhoto(photo) }
            }
        }
    }
}
