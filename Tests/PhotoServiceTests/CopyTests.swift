import PhotoContracts
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P19 P22 From the folder into albums")
struct CopyTests {
    @Test("pictures of the folder fill a pin's album, with placeholders, who made them and on which terms")
    func fills() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...5 { try files.add("\(number).jpg", 60 + Double(number) / 10_000, shade: UInt8(number)) }
            try await RunningPhotoService.working(in: folder) { service in
                #expect(try await service.scan().fileCount == 5)
                try await service.addPin()
                let answers = try await service.watchToEnd("pin/p1")
                let album = try await service.album("pin/p1")
                #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 5, readyCount: 5))
                #expect(album.photos.map(\.id) == (1...5).map { "folder/\($0).jpg" })
                for photo in album.photos {
                    #expect(photo.state == .ready)
                    #expect(photo.placeholder.count == 28)
                    #expect(photo.author == "A. Person")
                    #expect(photo.licence == "CC0")
                    #expect(photo.fetchedByteCount == photo.totalByteCount && photo.totalByteCount > 0)
                }
                let ready = answers.compactMap { $0.album?.summary?.readyCount }
                #expect(ready == ready.sorted(), "counters go forward only")
            }
        }
    }

    @Test("a thumbnail and a large picture: whole, small enough, without what the camera wrote")
    func pictures() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60, TestJPEG(width: 3_000, height: 2_000))
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let early = try await errorOf { try await service.picture("folder/a.jpg", .thumbnail) }
                #expect(early?.code == .failedPrecondition)
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                for (size, width, height) in [(BaseContracts.PictureSize.thumbnail, 320, 213), (.large, 2_048, 1_365)] {
                    let (bytes, info) = try await service.picture("folder/a.jpg", size)
                    #expect(info.mediaType == "image/jpeg")
                    #expect([Int(info.width), Int(info.height)] == [width, height])
                    #expect(Int(info.byteCount) == bytes.count)
                    #expect(info.sha256 == BlobName(of: bytes).text)
                    #expect(try JPEGHeader(bytes).notes.exif == nil)
                    #expect(try JPEGHeader(bytes).width == width)
                }
                #expect(try await service.keptJPEGs().count == 3)
            }
        }
    }

    @Test("a large picture that many ask for at once is made once")
    func together() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60, TestJPEG(width: 1_000, height: 800))
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let sums = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 1...20 {
                        group.addTask { try await service.picture("folder/a.jpg", .large).info.sha256 }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(sums.count == 1)
                #expect(try await service.keptJPEGs().count == 1)
            }
        }
    }

    @Test("a picture that is cut off, or whose file is gone, costs itself only and tells why")
    func failures() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...3 { try files.add("\(number).jpg", 60 + Double(number) / 10_000) }
            try files.add("2.jpg", 60.0002, TestJPEG(width: 800, height: 600))
            try files.write(Array(try files.bytes("2.jpg").dropLast(4_000)), to: "2.jpg")
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.store.waitForScans()
                files.remove("3.jpg")
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                let album = try await service.album("pin/p1")
                #expect(
                    album.album?.summary
                        == AlbumSummary(state: .completeWithErrors, photoCount: 3, readyCount: 1, failedCount: 2))
                #expect(album.photos.map(\.failure) == ["", "the file ends too early", "the file was deleted"])
                let error = try await errorOf { try await service.picture("folder/2.jpg", .thumbnail) }
                #expect(error?.message.contains("can't be fetched") == true)
            }
        }
    }

    @Test("the pictures of a place are fetched when it is opened, not before")
    func place() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60.02)
            let place = AlbumSearchTests.place("catalog/a", 60.02)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let wide = SearchAlbumsRequest(
                    pinId: "p1", generation: 1, centre: Coordinate(latitude: 60, longitude: 25), radiusM: 5_000,
                    places: [place], isLast: true)
                _ = try await service.search.searchAlbums(wide, service.peerOptions)
                try await service.watchToEnd("pin/p1")
                let remove = RemovePhotosRequest(subject: "pin/p1", photoIds: ["folder/a.jpg"])
                _ = try await service.photos.removePhotos(remove, service.options)
                #expect(try await service.album("place/catalog/a").album?.summary?.state == .listed)
                let open = OpenAlbumRequest(subject: "place/catalog/a")
                _ = try await service.photos.openAlbum(open, service.options)
                try await service.watchToEnd("place/catalog/a")
                #expect(try await service.album("place/catalog/a").album?.summary?.state == .complete)
            }
        }
    }
}
