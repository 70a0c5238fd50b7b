import PhotoContracts
import Daemon
import Geo
import Glibc
import Requests
import Storage
import TestSupport
import TestTools
import Testing

@testable import NearRows
@testable import PhotoService

@Suite("P26 Photos in memory are those of the database, at once and at every replica")
struct PhotosFollowedTests {
    private static let seed = UInt64.random(in: 0...UInt64.max)
    private static let accounts = ["ann", "bob"]

    private static func photo(
        _ number: Int, _ random: inout SeededGenerator
    ) throws -> (photo: PhotoService.Photo, owner: String) {
        let network = random.one(of: ["mine", "folder", "commons", "flickr", "upload", "immich"])
        let id = try #require(PhotoID("\(network)/\(number)"))
        // Many are at the same place.
        let latitude = 60 + Double(Int.random(in: 0...3, using: &random)) / 1_000
        let isPrivate = network == "upload" || network == "immich"
        let photo = PhotoService.Photo(
            id: id, title: "", position: try Geo.Coordinate(latitude: latitude, longitude: 25),
            credit: Credit(author: "", licence: "", sourceURL: ""), originalURL: "", width: 0, height: 0,
            takenMilliseconds: nil)
        return (photo, isPrivate ? random.one(of: accounts) : "")
    }

    private static func change(
        _ store: PhotoStore, _ photos: inout [PhotoID], _ number: Int, _ random: inout SeededGenerator
    ) async throws {
        let fresh = try photo(number, &random)
        let (kind, id) = (Int.random(in: 0..<10, using: &random), photos.randomElement(using: &random))
        let position = try photo(0, &random).photo.position
        let account = random.one(of: accounts)
        if kind < 3 { photos.append(fresh.photo.id) }
        try await store.write { transaction throws(SQLError) in
            if kind < 3 {
                if fresh.photo.id.network == "flickr" {
                    // A network has listed it, for somebody or for nobody that is left.
                    try transaction.putFoundPhoto(fresh.photo, seen: 1)
                    if number % 3 > 0 { try transaction.ownPhoto(fresh.photo.id, account) }
                } else {
                    try transaction.putPhoto(fresh.photo)
                }
                if !fresh.owner.isEmpty { try transaction.setShown(fresh.photo.id, to: fresh.owner) }
            }
            guard kind >= 3, let id, let known = try transaction.photo(id) else { return }
            switch kind {
            case 3:
                let moved = PhotoService.Photo(
                    id: id, title: "moved", position: position, credit: known.credit, originalURL: "", width: 0,
                    height: 0, takenMilliseconds: nil)
                try transaction.putPhoto(moved)
            case 4 where number % 2 == 0: try transaction.ownPhoto(id, account)
            case 4: try transaction.setGone(id)
            case 5: try transaction.dropPhoto(id.text)
            case 6:
                _ = try transaction.changeFavourite(.toggle, id, of: account, placeName: "", at: 1)
            case 7: try transaction.add(id, toPinOf: account, at: position)
            case 8: try transaction.forgetPin(account, at: 1)
            default: try transaction.setFailed(id, reason: "gone")
            }
        }
    }

    private static func compare(
        _ near: NearSearch, _ store: PhotoStore, _ links: PictureLinks, _ random: inout SeededGenerator, _ place: String
    ) async throws {
        let centre = BaseContracts.Coordinate(
            latitude: 60 + Double(Int.random(in: 0...4, using: &random)) / 1_000, longitude: 25)
        let query = try NearQuery(
            centre: centre, radiusMetres: random.one(of: [0, 150, 5_000]), limit: UInt32(random.one(of: [1, 7, 200])))
        for account in accounts + ["cid"] {
            let given = try await near.near(query, for: account)
            let expected = try await store.read { transaction throws(SQLError) in
                try NearPhotos(links).nearest(query, for: account, transaction)
            }
            #expect(
                given.rows == PackedRows(expected.hits, NearPhotos(links).distance)
                    && given.isTruncated == expected.isTruncated, "\(place), \(account), \(query)")
        }
    }

    @Test("whatever is put in, moved, lost, liked, shown or deleted, each search gives what the database gives")
    func follows() async throws {
        var random = SeededGenerator(seed: Self.seed)
        try await TemporaryFolder.with { folder in
            var photos: [PhotoID] = []
            // The second time all is there at the start.
            for round in 0..<2 {
                try await RunningPhotoService.with(folder: folder) { service in
                    let links = PictureLinks(
                        tickets: PictureTickets(try #require(RunningPhotoService.key)), canMake: { _ in false })
                    let near = NearSearch(NearPhotos(links), service.store.database)
                    try await near.load()
                    for step in 0..<120 {
                        try await Self.change(service.store, &photos, 1_000 * round + step, &random)
                        try await Self.compare(
                            near, service.store, links, &random, "seed \(Self.seed), round \(round), step \(step)")
                    }
                }
            }
        }
    }

    @Test("what is written at one replica is in the next search at the other one")
    func replicas() async throws {
        var random = SeededGenerator(seed: Self.seed)
        try await TemporaryFolder.with { folder in
            let place = try PostgresServer.sharedPlace(of: "\(folder)/photos.db")
            var stores: [PhotoStore] = []
            for replica in ["one", "two"] {
                var settings = DatabaseSettings()
                (settings.schema, settings.replica) = (place.schema, replica)
                stores.append(try await PhotoStore.open(place.address, settings: settings))
            }
            let links = PictureLinks(
                tickets: PictureTickets(try #require(RunningPhotoService.key)), canMake: { _ in false })
            let searches = stores.map { NearSearch(NearPhotos(links), $0.database) }
            var photos: [PhotoID] = []
            for step in 0..<60 {
                try await Self.change(stores[step % 2], &photos, step, &random)
                try await Self.compare(
                    searches[1 - step % 2], stores[0], links, &random, "seed \(Self.seed), step \(step)")
            }
            for store in stores { await store.close() }
        }
    }

    private static var residentBytes: Int {
        let text = (try? WholeFile.text("/proc/self/statm")) ?? ""
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4_096 } ?? 0
    }

    /// `WAYMARK_PHOTO_COUNT=1000000` shows how long a start takes, and what memory.
    @Test("all are there after a start", .enabled(if: PostgresServer.isOfFiles))
    func start() async throws {
        let count = unsafe getenv("WAYMARK_PHOTO_COUNT").flatMap { unsafe Int(String(cString: $0)) } ?? 3_000
        var random = SeededGenerator(seed: Self.seed)
        try await RunningPhotoService.with { service in
            for first in stride(from: 0, to: count, by: 10_000) {
                let points = (first..<min(first + 10_000, count)).map { number in
                    (number, Double.random(in: -60...70, using: &random), Double.random(in: -180...180, using: &random))
                }
                try await service.store.write { transaction throws(SQLError) in
                    for (number, latitude, longitude) in points {
                        guard let position = try? Geo.Coordinate(latitude: latitude, longitude: longitude) else {
                            continue
                        }
                        try transaction.execute(
                            """
                            INSERT INTO photos (id, network, provider_id, title, latitude_e7, longitude_e7, cell,
                                author, licence, source_url, original_url, width, height, number)
                            VALUES ('folder/' || ?1, 'folder', ?1, 'A photo', ?2, ?3, ?4, 'Someone', 'CC BY-SA 4.0',
                                'https://example.org/photos/' || ?1, 'https://example.org/files/' || ?1, 4000, 3000, ?1)
                            """, number, Int64(position.latitudeE7), Int64(position.longitudeE7), Cell.id(of: position))
                    }
                }
            }
            let links = PictureLinks(
                tickets: PictureTickets(try #require(RunningPhotoService.key)), canMake: { _ in false })
            let near = NearSearch(NearPhotos(links), service.store.database)
            let (start, before) = (ContinuousClock.now, Self.residentBytes)
            try await near.load()
            let (time, grown) = (ContinuousClock.now - start, Self.residentBytes - before)
            print("\(count) photos: \(time), \(Double(grown) / Double(count)) resident bytes each")
            for place in 0..<20 {
                try await Self.compare(near, service.store, links, &random, "seed \(Self.seed), place \(place)")
            }
            let query = try NearQuery(
                centre: BaseContracts.Coordinate(latitude: 10, longitude: 10), radiusMetres: 100_000, limit: 200)
            let given = try await near.near(query, for: "ann")
            let expected = try await service.store.read { transaction throws(SQLError) in
                try NearPhotos(links).nearest(query, for: "ann", transaction)
            }
            #expect(given.rows == PackedRows(expected.hits, NearPhotos(links).distance))
        }
    }

    @Test("a crowd at one place is in the order of its ids")
    func crowd() async throws {
        try await RunningPhotoService.with { service in
            let position = try Geo.Coordinate(latitude: 60, longitude: 25)
            let ids = try (0..<1_000).map { try #require(PhotoID("mine/\($0)")) }
            try await service.store.write { transaction throws(SQLError) in
                for id in ids {
                    try transaction.putPhoto(
                        PhotoService.Photo(
                            id: id, title: "", position: position,
                            credit: Credit(author: "", licence: "", sourceURL: ""), originalURL: "", width: 0,
                            height: 0, takenMilliseconds: nil))
                }
            }
            let answer = try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options)
            #expect(answer.photos.map(\.id) == ids.sorted().prefix(20).map(\.text) && answer.truncated)
        }
    }
}

extension Transaction {
    /// Adds a photo to the album of an account's only pin.
    fileprivate func add(_ id: PhotoID, toPinOf account: String, at position: Geo.Coordinate) throws(SQLError) {
        let subject = AlbumSubject.pin(account)
        try insertAlbum(
            subject, account: account, centre: position, radiusMetres: 1, isSearching: false, isOpened: true)
        guard let album = try album(subject) else { return }
        try addPhotos([id], to: album)
        try recountList(subject)
    }
}
