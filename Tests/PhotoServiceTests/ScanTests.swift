import PhotoContracts
import PictureCalls
import Glibc
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P26 A scan of the folder")
struct ScanTests {
    @Test("takes what is new or changed, and reads nothing else; tells what can't be used")
    func changes() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...3 { try files.add("\(number).jpg", 60 + Double(number) / 10_000) }
            try files.write(TestJPEG().bytes(), to: "nowhere.jpg")
            try files.write([1, 2, 3], to: "text.jpg")
            try await RunningPhotoService.working(in: folder) { service in
                let first = try await service.scan()
                #expect([first.fileCount, first.skippedCount] == [5, 2])
                #expect(first.done)
                let again = try await service.scan()
                #expect([again.addedCount, again.goneCount] == [0, 0])
                // A scan that was asked for while another one ended may run once more.
                try await service.untilIdle("scan")
                try files.add("2.jpg", 61, TestJPEG(width: 80, height: 60))
                try files.add("4.jpg", 62)
                files.remove("1.jpg")
                let third = try await service.scan()
                #expect([third.addedCount, third.goneCount, third.skippedCount] == [2, 1, 2])
                let moved = try await service.photos.getPhoto(GetPhotoRequest(id: "folder/2.jpg"), service.options)
                #expect(moved.photo?.position?.latitude == 61)
                let near = try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options)
                #expect(near.photos.map(\.id) == ["folder/3.jpg"])
            }
        }
    }

    @Test("I8 takes files as large as cameras and phones write them, with a film behind the picture or not")
    func large() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("motion.jpg", 60.001)
            try files.write(try files.bytes("motion.jpg") + [UInt8](repeating: 7, count: 12 << 20), to: "motion.jpg")
            let kinds: [TestPicture.Kind] = [.png, .tiff]
            for kind in kinds {
                let bytes = try TestPicture.inHelsinki(kind)
                try files.write(bytes + [UInt8](repeating: 0, count: 11 << 20), to: "large.\(kind.rawValue)")
            }
            try await RunningPhotoService.working(in: folder) { service in
                let scan = try await service.scan()
                #expect(scan.skippedCount == 0, "\(scan.skipped)")
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                let photos = try await service.album("pin/p1").photos
                #expect(photos.map(\.id) == ["folder/motion.jpg"] && photos.first?.state == .ready)
                for kind in kinds {
                    let made = try await service.picture("folder/large.\(kind.rawValue)", .large)
                    #expect(made.bytes.starts(with: [0xff, 0xd8, 0xff]))
                }
            }
        }
    }

    /// Scans alone, without the rest of the service; gives how far the scan came.
    private func scan(_ files: PictureFiles, _ service: RunningPhotoService) async throws -> StoredScan {
        let folder = PictureFolder("\(files.root)/pictures")
        let pictures = PictureStore(
            folder: folder, decoders: try PictureDecoders.ofTested.get(),
            blobs: try DirectoryBlobs(folder: "\(files.root)/blobs", blocking: BlockingCalls.ofTested),
            blocking: BlockingCalls.ofTested)
        try await service.store.startScan()
        try await service.finish([
            ScanJob(store: service.store, pictures: pictures, folder: folder, log: nil).kind
        ])
        return try #require(try await service.store.scan(notBefore: 1))
    }

    @Test("R8 takes photos out of albums whose folder is left out by now; others come in their place")
    func leftOut() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("kept.jpg", 60.001)
            try await RunningPhotoService.with(folder: folder) { service in
                try await service.addFolderPhotos([("#recycle/1.jpg", 60), ("a/@eaDir/2.jpg", 60.0001)])
                try await service.addPin(places: [AlbumSearchTests.place("catalog/a")])
                try await service.finishSearches()
                let albums = ["pin/p1", "place/catalog/a"]
                for album in albums { #expect(try await service.album(album).photos.count == 2) }
                let done = try await scan(files, service)
                #expect([done.answer.addedCount, done.answer.goneCount] == [1, 2])
                try await service.finishSearches()
                #expect(try await service.album("pin/p1").photos.map(\.id) == ["folder/kept.jpg"])
                let place = try await service.album("place/catalog/a")
                #expect(place.photos.isEmpty && place.album?.summary?.photoCount == 0)
                let near = try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options)
                #expect(near.photos.map(\.id) == ["folder/kept.jpg"])
            }
        }
    }

    @Test("opens a file that can't be used once, and again when it was changed; it is told by each scan")
    func unusable() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60)
            try files.write(TestJPEG().bytes(), to: "nowhere.jpg")
            try files.write([1, 2, 3], to: "text.jpg")
            try await RunningPhotoService.with(folder: folder) { service in
                let first = try await scan(files, service)
                #expect(first.readCount == 3)
                #expect(
                    first.answer.skipped.map(\.reason) == [
                        "no position", "it is none of JPEG, PNG, WebP, HEIC, AVIF and TIFF",
                    ])
                let again = try await scan(files, service)
                #expect(again.readCount == 0)
                #expect(again.answer.skipped == first.answer.skipped)
                try files.add("text.jpg", 60, TestJPEG(width: 80, height: 60))
                files.remove("nowhere.jpg")
                let third = try await scan(files, service)
                #expect(third.readCount == 1)
                #expect(third.answer.skipped.isEmpty)
                let left = try await service.store.read { transaction throws(SQLError) in
                    try transaction.unusablePaths(after: "", limit: 10)
                }
                #expect(left.isEmpty)
            }
        }
    }

    @Test("what is left out is listed with its reason, also what no one opened, until it is usable or gone")
    func listed() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60)
            try files.write(TestJPEG().bytes(), to: "nowhere.jpg")
            try files.write([1, 2, 3], to: "text.jpg")
            try files.write([1], to: "large.jpg")
            try #require(truncate(files.path("large.jpg"), PictureLimit.ownBytes + 1) == 0)
            try await RunningPhotoService.working(in: folder) { service in
                func leftOut() async throws -> [String] {
                    var (paths, request): ([String], _) = ([], ListLeftOutFilesRequest(pageSize: 2))
                    while true {
                        let page = try await service.photos.listLeftOutFiles(request, service.options)
                        paths += page.files.map(\.path)
                        #expect(page.hasFolder && page.files.allSatisfy { !$0.reason.isEmpty })
                        if page.nextPageToken.isEmpty {
                            #expect(page.totalCount == UInt64(paths.count))
                            return paths
                        }
                        request.pageToken = page.nextPageToken
                    }
                }
                _ = try await service.scan()
                #expect(try await leftOut() == ["large.jpg", "nowhere.jpg", "text.jpg"])
                files.remove("nowhere.jpg")
                try files.add("large.jpg", 60, TestJPEG(width: 80, height: 60))
                _ = try await service.scan()
                #expect(try await leftOut() == ["text.jpg"])
            }
            try await RunningPhotoService.with { service in
                let none = try await service.photos.listLeftOutFiles(ListLeftOutFilesRequest(), service.options)
                #expect(none == ListLeftOutFilesResponse())
            }
        }
    }

    @Test(
        "of a folder that is away, or left empty by its disk, fails with a sentence, and no photo is lost",
        arguments: [("can't be read", false), ("has no picture", true)])
    func away(_ words: String, isEmptyLeft: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try #require(rename("\(folder)/pictures", "\(folder)/away") == 0)
                if isEmptyLeft { try #require(mkdir("\(folder)/pictures", 0o700) == 0) }
                let error = try await errorOf { try await service.scan() }
                #expect(error?.code == .unavailable)
                #expect(error?.message.contains(words) == true)
                try await service.addPin()
                _ = try await service.photos.getPhoto(GetPhotoRequest(id: "folder/1.jpg"), service.options)
                let answers = service.photos.watchAlbum(WatchAlbumRequest(subject: "pin/p1"), service.options)
                for try await answer in answers where answer.album?.summary?.state == .downloading { break }
                try #require(rename("\(folder)/away", "\(folder)/pictures") == 0)
                try await service.watchToEnd("pin/p1")
                #expect(try await service.album("pin/p1").album?.summary?.state == .complete)
            }
        }
    }

    @Test("of an empty folder takes the photos for gone once any file there is named like a picture")
    func emptied() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                files.remove("1.jpg")
                #expect(try await errorOf { try await service.scan() }?.message.contains(".jpg") == true)
                #expect(
                    try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options).photos.count == 1)
                try files.write([], to: "empty.jpg")
                _ = try await service.scan()
                #expect(try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options).photos.isEmpty)
            }
        }
    }

    @Test("an album keeps the photo whose file is gone; a file that comes back is a photo again")
    func comesBack() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for (name, latitude) in [("1.jpg", 60.0), ("2.jpg", 70)] { try files.add(name, latitude) }
            let bytes = try files.bytes("1.jpg")
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                files.remove("1.jpg")
                #expect(try await service.scan().goneCount == 1)
                #expect(try await service.scan().goneCount == 0)
                #expect(try await service.album("pin/p1").photos.map(\.state) == [.ready])
                #expect(try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options).photos.isEmpty)
                try files.write(bytes, to: "1.jpg")
                #expect(try await service.scan().addedCount == 1)
                #expect(
                    try await service.photos.photosNear(PhotosNearRequest(60, 25), service.options).photos.count == 1)
            }
        }
    }

    @Test("fills the albums of pins that were there before it")
    func late() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try await RunningPhotoService.working(in: folder) { service in
                try await service.addPin(places: [AlbumSearchTests.place("catalog/a")])
                try await service.watchToEnd("pin/p1")
                #expect(try await service.album("pin/p1").album?.summary?.state == .empty)
                try files.add("1.jpg", 60)
                let told = service.photos.watchAlbum(WatchAlbumRequest(subject: "pin/p1"), service.options)
                _ = try await service.scan()
                for try await answer in told where answer.album?.summary?.state == .complete { break }
                #expect(try await service.album("pin/p1").album?.summary?.photoCount == 1)
                #expect(try await service.album("place/catalog/a").album?.summary?.photoCount == 1)
            }
        }
    }

    @Test("needs a folder")
    func none() async throws {
        try await RunningPhotoService.with { service in
            let error = try await errorOf { try await service.scan() }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("--pictures") == true)
        }
    }
}
