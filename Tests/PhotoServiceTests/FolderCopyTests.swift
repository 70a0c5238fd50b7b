import PhotoContracts
import TestTools
import Testing

@testable import PhotoService

@Suite("I9 Copies in the folder", .timeLimit(.minutes(3)))
struct FolderCopyTests {
    private func near(_ service: RunningPhotoService) async throws -> [PhotoContracts.Photo] {
        try await service.photos.photosNear(PhotosNearRequest(60, 25, radius: 50_000), service.options).photos
    }

    private func leftOut(_ service: RunningPhotoService) async throws -> [String] {
        let found = try await service.photos.listLeftOutFiles(ListLeftOutFilesRequest(), service.options)
        return found.files.map { "\($0.path): \($0.reason)" }
    }

    private func copy(_ files: PictureFiles, _ name: String, to other: String) throws {
        try files.write(try files.bytes(name), to: other)
    }

    @Test("are one photo, which names them; each that remains is it when the others go")
    func once() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("b.jpg", 60.01)
            try copy(files, "b.jpg", to: "a copy.jpg")
            // As large, but another picture.
            try files.add("other.jpg", 60.02)
            try await RunningPhotoService.working(in: folder) { service in
                let first = try await service.scan()
                #expect(first.done)
                let photos = try await near(service)
                #expect(photos.map(\.id) == ["folder/a copy.jpg", "folder/other.jpg"])
                #expect(photos.map(\.copyPaths) == [["b.jpg"], []])
                #expect(try await leftOut(service) == ["b.jpg: it is a copy of a copy.jpg, which is shown"])
                try copy(files, "b.jpg", to: "c.jpg")
                #expect(try await service.scan().addedCount == 0)
                #expect(try await near(service).map(\.copyPaths) == [["b.jpg", "c.jpg"], []])
                #expect(try await service.scan().addedCount == 0)
                let favourite = ChangeFavouriteRequest(photoId: "folder/a copy.jpg")
                _ = try await service.photos.changeFavourite(favourite, service.options)
                files.remove("a copy.jpg")
                _ = try await service.scan()
                let left = try await near(service)
                #expect(left.map(\.id) == ["folder/b.jpg", "folder/other.jpg"])
                #expect(left.map(\.copyPaths) == [["c.jpg"], []] && left[0].favourite)
                files.remove("c.jpg")
                _ = try await service.scan()
                #expect(try await near(service).map(\.copyPaths) == [[], []])
                #expect(try await leftOut(service).isEmpty)
            }
        }
    }

    @Test("are photos of their own once their bytes, or those of the photo, are others")
    func changed() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60.01)
            for name in ["2.jpg", "3.jpg"] { try copy(files, "1.jpg", to: name) }
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                #expect(try await near(service).map(\.id) == ["folder/1.jpg"])
                try files.add("1.jpg", 60.02, TestJPEG(width: 80, height: 60))
                _ = try await service.scan()
                try await service.untilIdle("scan")
                let photos = try await near(service)
                #expect(photos.map(\.id) == ["folder/2.jpg", "folder/1.jpg"])
                #expect(photos.map(\.copyPaths) == [["3.jpg"], []])
                try files.add("3.jpg", 60.03)
                _ = try await service.scan()
                #expect(try await near(service).map(\.copyPaths) == [[], [], []])
            }
        }
    }

    @Test("with a correction beside one of them are shown as corrected")
    func corrected() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60.01)
            for name in ["2.jpg", "3.jpg"] { try copy(files, "1.jpg", to: name) }
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let notes = """
                    <x xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:exif="http://ns.adobe.com/exif/1.0/">
                    <rdf:Description exif:GPSLatitude="60,3.0N" exif:GPSLongitude="25,0.0E"/></x>
                    """
                try files.write(Array(notes.utf8), to: "2.jpg.xmp")
                _ = try await service.scan()
                let photos = try await near(service)
                #expect(photos.map(\.id) == ["folder/2.jpg"] && photos.first?.position?.latitude == 60.05)
                #expect(photos.map(\.copyPaths) == [["1.jpg", "3.jpg"]])
                #expect(try await service.scan().addedCount == 0)
            }
        }
    }

    @Test("Videos and raw files are left out with their reason")
    func otherKinds() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60.01)
            for name in ["1.MOV", "1.dng", "notes.txt"] { try files.write([1, 2, 3], to: name) }
            try await RunningPhotoService.working(in: folder) { service in
                let scan = try await service.scan()
                #expect(scan.skippedCount == 2)
                let found = try await leftOut(service)
                #expect(
                    found == [
                        "1.MOV: it is a video; only pictures become photos",
                        "1.dng: it is a camera's raw file; only pictures become photos",
                    ])
            }
        }
    }
}

@Suite("I9 What a picture was taken with")
struct CameraNameTests {
    @Test(
        "is what the file says, without what it says twice",
        arguments: [
            ("Canon", "Canon EOS R5", "Canon EOS R5"), ("NIKON CORPORATION", "NIKON D750", "NIKON D750"),
            ("FUJIFILM", "X-T4", "FUJIFILM X-T4"), ("Apple", "iPhone 13 Pro", "Apple iPhone 13 Pro"),
            ("OLYMPUS IMAGING CORP.  ", "E-M10MarkII    ", "OLYMPUS E-M10MarkII"),
            ("EASTMAN KODAK COMPANY", "KODAK DX7590 ZOOM DIGITAL CAMERA", "KODAK DX7590 ZOOM DIGITAL CAMERA"),
            ("LEICA CAMERA AG", "LEICA Q2", "LEICA Q2"), ("samsung", "SM-G991B", "samsung SM-G991B"),
            ("SONY", "", "SONY"), ("", "Pixel 7", "Pixel 7"), ("", "", ""), ("\u{1}", "\u{7}", ""),
        ])
    func camera(make: String, model: String, name: String) {
        #expect(CameraName.text(make: Array(make.utf8), model: Array(model.utf8)) == name)
    }

    @Test("has no lens where cameras write marks for none", arguments: ["----", "0.0 mm f/0.0", " ", "Unknown", "\0"])
    func noLens(text: String) { #expect(CameraName.lens(Array(text.utf8)).isEmpty) }

    @Test("is read from EXIF")
    func read() throws {
        var exif = TestExif.inHelsinki()
        exif.picture = [exif.text(0x010f, "Canon"), exif.text(0x0110, "Canon EOS R5")]
        exif.camera = [exif.text(0xa434, "RF24-105mm F4 L IS USM")]
        let facts = try PictureFacts(exif.jpeg())
        #expect(facts.camera == "Canon EOS R5" && facts.lens == "RF24-105mm F4 L IS USM")
    }
}
