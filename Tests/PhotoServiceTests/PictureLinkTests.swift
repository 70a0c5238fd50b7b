import PhotoContracts
import Daemon
import Geo
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P22 P25 URLs of pictures")
struct PictureLinkTests {
    private func check(_ url: String, _ size: BaseContracts.PictureSize, _ clock: WallClock = .system) throws -> Bool {
        let tickets = PictureTickets(try #require(RunningPhotoService.key), clock: clock)
        guard url.hasPrefix("/pictures/"), let ticket = tickets.check(url.dropFirst(10)) else { return false }
        return ticket.photoId == "folder/1.jpg" && ticket.size == size && ticket.source.count == 8
    }

    private func photo(_ service: RunningPhotoService) async throws -> PhotoContracts.Photo {
        try #require(try await service.photos.getPhoto(GetPhotoRequest(id: "folder/1.jpg"), service.options).photo)
    }

    @Test("are in every answer with a photo: a large picture's at once, a thumbnail's when it is there")
    func everywhere() async throws {
        try await TemporaryFolder.with { folder in
            try PictureFiles(folder).add("1.jpg", 60)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let early = try await photo(service)
                #expect(early.thumbnailUrl.isEmpty)
                #expect(try check(early.largeUrl, .large))
                try await service.addPin()
                let told = try await service.watchToEnd("pin/p1").last
                let ready = try await photo(service)
                #expect(try check(ready.thumbnailUrl, .thumbnail))
                #expect(ready.largeUrl == early.largeUrl)
                _ = try await service.picture("folder/1.jpg", .large)
                let near = try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options).photos
                let opened = try await service.photos.openAlbum(
                    OpenAlbumRequest(subject: "pin/p1"), service.options)
                let lists = [told?.photos, near, opened.photos, try await service.album("pin/p1").photos]
                for photos in lists {
                    #expect(photos?.first?.thumbnailUrl == ready.thumbnailUrl)
                    #expect(photos?.first?.largeUrl == ready.largeUrl)
                }
            }
        }
    }

    @Test("are others when the file was changed; its old large picture is not given for the new one")
    func changed() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60, shade: 10)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                let old = try await service.picture("folder/1.jpg", .large).info
                let before = try await photo(service)
                try files.add("1.jpg", 60, TestJPEG(width: 64, height: 64), shade: 200)
                _ = try await service.scan()
                let scanned = try await photo(service)
                #expect(scanned.largeUrl != before.largeUrl)
                #expect(try await service.picture("folder/1.jpg", .large).info.sha256 != old.sha256)
                let told = service.photos.watchAlbum(WatchAlbumRequest(subject: "pin/p1"), service.options)
                for try await answer in told
                where answer.photos.contains(where: { $0.thumbnailUrl != before.thumbnailUrl }) { break }
                #expect(try await photo(service).largeUrl == scanned.largeUrl)
            }
        }
    }

    @Test("are not there for a photo that failed, and not without what its network demands to be said")
    func none() async throws {
        try await RunningPhotoService.with { service in
            let picture = StoredPicture(jpeg: StoredBytes(name: BlobName(of: [1]), count: 1), width: 1, height: 1)
            let made = MadeSizes(pictures: [.thumbnail: picture], placeholder: "")
            let credit = Credit(author: "A", licence: "CC0", sourceURL: "https://example.org/1")
            let cases = [
                ("flickr/1", credit, false, true),
                ("flickr/2", Credit(author: "", licence: "", sourceURL: ""), false, false),
                ("flickr/3", credit, true, false),
            ]
            for (id, credit, fails, isShown) in cases {
                let stored = Photo(
                    id: try #require(PhotoID(id)), title: "", position: try Geo.Coordinate(latitude: 1, longitude: 2),
                    credit: credit, originalURL: "", width: 0, height: 0, takenMilliseconds: nil)
                try await service.store.write { transaction throws(SQLError) in
                    try transaction.putPhoto(stored)
                    _ = try transaction.changeFavourite(.add, stored.id, of: "ann", placeName: "", at: 1)
                    try transaction.setReady(stored.id, made)
                    try transaction.putPicture(picture, .large, of: stored.id)
                    if fails { try transaction.setFailed(stored.id, reason: "gone") }
                }
                let answer = try await service.photos.getPhoto(GetPhotoRequest(id: id), service.options).photo
                #expect(answer?.thumbnailUrl.isEmpty == !isShown)
                #expect(answer?.largeUrl.isEmpty == !isShown)
            }
        }
    }

    @Test("can't be put in")
    func refused() async throws {
        try await RunningPhotoService.with { service in
            let changes: [(String, (inout PhotoContracts.Photo) -> Void)] = [
                ("photo.thumbnail_url", { $0.thumbnailUrl = "/pictures/x" }),
                ("photo.large_url", { $0.largeUrl = "/pictures/x" }),
                ("photo.small_url", { $0.smallUrl = "/pictures/x" }),
            ]
            for (field, change) in changes {
                let record = PhotoServiceTests.photo("mine/1", 1, 2, change)
                let error = try await errorOf { try await service.put(record) }
                #expect(error?.message.hasPrefix("\(field): ") == true)
            }
        }
    }
}
