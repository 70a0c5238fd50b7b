import PhotoContracts
import Glibc
import PictureCalls
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P22 P26 Pictures of every kind in albums", .timeLimit(.minutes(2)))
struct KindsInAlbumsTests {
    @Test("are found in the folder by their positions, and fill an album; a bomb among them costs itself alone")
    func folder() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for (kind, ending) in zip(TestPicture.Kind.allCases, ["jpg", "PNG", "webp", "heic", "avif", "tif"]) {
                try files.write(try TestPicture.inHelsinki(kind), to: "\(kind).\(ending)")
            }
            // What it is counts, not what it is called.
            try files.write(try TestPicture.inHelsinki(.heic) + [0], to: "called.jpg")
            var bomb = try TestPicture.inHelsinki(.heic)
            for start in bomb.indices.filter({ bomb[$0...].starts(with: Array("ispe".utf8)) }) {
                bomb.replaceSubrange(start + 8..<start + 16, with: [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10])
            }
            try files.write(bomb, to: "bomb.heic")
            try await RunningPhotoService.working(in: folder) { service in
                let scanned = try await service.scan()
                #expect([scanned.fileCount, scanned.skippedCount] == [8, 1])
                let bomb = try await errorOf {
                    try await service.photos.getPhoto(GetPhotoRequest(id: "folder/bomb.heic"), service.options)
                }
                #expect(bomb?.code == .notFound)
                _ = try await service.search.searchAlbums(
                    SearchAlbumsRequest(
                        pinId: "p1", generation: 1, centre: Coordinate(latitude: 60.17, longitude: 24.94),
                        radiusM: 1_000, isLast: true), service.peerOptions)
                try await service.watchToEnd("pin/p1")
                let album = try await service.album("pin/p1")
                #expect(album.photos.count == 7 && album.photos.allSatisfy { $0.state == .ready })
                for photo in album.photos {
                    #expect(try await service.picture(photo.id, .large).info.width == 64)
                }
            }
        }
    }

    @Test("P28 position, tags and author from a file of XMP beside a picture, also when that is added or changed later")
    func sidecars() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.write(TestJPEG().bytes(), to: "a.jpg")
            try files.write(TestJPEG(width: 80, height: 60).bytes(), to: "b.jpg")
            try files.write(Array(XMPNotesTests.helsinki.utf8), to: "a.jpg.xmp")
            try await RunningPhotoService.working(in: folder) { service in
                let first = try await service.scan()
                #expect([first.fileCount, first.skippedCount] == [2, 1])
                #expect(try await service.position("folder/a.jpg")?.latitude == 60.1699)
                let moved = XMPNotesTests.packet(
                    #"exif:GPSLatitude="61,0N" exif:GPSLongitude="25,0E" dc:creator="B.""#,
                    "<dc:subject><rdf:Bag><rdf:li>market</rdf:li><rdf:li>snow</rdf:li></rdf:Bag></dc:subject>")
                try files.write(Array(moved.utf8), to: "B.XMP")
                try files.write(Array(moved.utf8), to: "a.jpg.xmp")
                let second = try await service.scan()
                #expect([second.fileCount, second.skippedCount] == [2, 0])
                #expect(try await service.position("folder/a.jpg")?.latitude == 61)
                #expect(try await service.position("folder/b.jpg")?.latitude == 61)
                let request = GetPhotoRequest(id: "folder/a.jpg")
                let tags = try await service.photos.getPhoto(request, service.options).photo?.tags
                #expect(tags == ["market", "snow"])
                files.remove("B.XMP")
                #expect(try await service.scan().skippedCount == 1)
            }
        }
    }

    @Test("R9 R10 photos of an earlier program are read again once, without their pictures being made again")
    func reread() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60)
            let corrected = XMPNotesTests.packet("exif:GPSLatitude=\"60.001\" exif:GPSLongitude=\"25.0\"")
            try files.write(Array(corrected.utf8), to: "a.jpg.xmp")
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                #expect(try await service.position("folder/a.jpg")?.latitude == 60.001)
                try await service.untilIdle("scan")
                try await service.store.write { transaction throws(SQLError) in
                    try transaction.execute("UPDATE photos SET reading = 0, latitude_e7 = 600000000")
                }
                #expect(try await service.scan().addedCount == 1)
                #expect(try await service.position("folder/a.jpg")?.latitude == 60.001)
                #expect(try await service.album("pin/p1").photos.first?.state == .ready)
                let copies = try await service.store.read { transaction throws(SQLError) in
                    try transaction.jobCount("copy")
                }
                #expect(copies == 0)
                #expect(try await service.scan().addedCount == 0)
            }
        }
    }

    @Test("three sizes of each, as JPEG, or as WebP for who may get it and where that is smaller")
    func sizes() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60, TestJPEG(width: 1_000, height: 600))
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                for (size, width) in [(BaseContracts.PictureSize.small, 160), (.thumbnail, 320), (.large, 1_000)] {
                    let (jpeg, told) = try await service.picture("folder/a.jpg", size)
                    #expect(told.mediaType == "image/jpeg" && Int(told.width) == width)
                    #expect(try PictureReader.notes(of: jpeg).width == width)
                    let (webP, info) = try await service.picture("folder/a.jpg", size, allowWebP: true)
                    #expect(info.mediaType == "image/webp" && Int(info.width) == width)
                    #expect(webP.count < jpeg.count && info.sha256 == BlobName(of: webP).text)
                    #expect(try PictureReader.notes(of: webP).width == width)
                }
                let photo = try #require(try await service.album("pin/p1").photos.first)
                #expect(photo.smallUrl.hasPrefix("/pictures/") && photo.smallUrl != photo.thumbnailUrl)
            }
        }
    }

    @Test("a photo whose small picture was not made yet shows its thumbnail instead")
    func earlier() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60, TestJPEG(width: 1_000, height: 600))
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                try await service.store.write { transaction throws(SQLError) in
                    try transaction.execute("DELETE FROM pictures WHERE size = 4")
                    try transaction.execute("UPDATE pictures SET webp = NULL, webp_byte_count = 0")
                }
                let small = try await service.picture("folder/a.jpg", .small, allowWebP: true).info
                #expect(small.width == 320 && small.mediaType == "image/jpeg")
            }
        }
    }
}

extension RunningPhotoService {
    fileprivate func position(_ id: String) async throws -> BaseContracts.Coordinate? {
        try await photos.getPhoto(GetPhotoRequest(id: id), options).photo?.position
    }
}
