import PhotoContracts
import EventLoops
import Glibc
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

/// A folder with a folder of pictures in it, as `RunningPhotoService.working` takes it.
struct PictureFiles {
    let root: String

    /// Makes the folder of pictures.
    init(_ root: String) throws {
        self.root = root
        try #require(mkdir("\(root)/pictures", 0o700) == 0)
    }

    /// Writes a picture that was taken at a latitude, to 1e-4 degrees, on the meridian of 25 degrees.
    func add(_ name: String, _ latitude: Double, _ picture: TestJPEG = TestJPEG(), shade: UInt8 = 128) throws {
        var exif = TestExif()
        exif.setPosition(
            [(UInt32((latitude * 10_000).rounded()), 10_000), (0, 1), (0, 1)], "N", [(25, 1), (0, 1), (0, 1)], "E")
        exif.picture = [exif.text(0x013b, "A. Person"), exif.text(0x8298, "CC0")]
        try write(exif.jpeg(picture.bytes { x, y in (UInt8(x & 255), UInt8(y & 255), shade) }), to: name)
    }

    func write(_ bytes: [UInt8], to name: String) throws { try WholeFile.write(bytes, to: path(name)) }

    func bytes(_ name: String) throws -> [UInt8] { try WholeFile.bytes(path(name)) }

    func remove(_ name: String) { unlink(path(name)) }

    func path(_ name: String) -> String { "\(root)/pictures/\(name)" }
}

extension RunningPhotoService {
    /// Scans the folder; gives the last answer.
    func scan() async throws -> ScanPicturesResponse {
        var last: ScanPicturesResponse?
        for try await answer in photos.scanPictures(ScanPicturesRequest(), options) { last = answer }
        return try #require(last)
    }

    /// Asks for the photos within a kilometre of 60, 25.
    func addPin(_ pin: String = "p1", generation: UInt64 = 1, places: [PlacePoint] = []) async throws {
        let part = AlbumSearchTests.part(pin, generation: generation, places: places)
        _ = try await search.searchAlbums(part, peerOptions)
    }

    /// Watches an album until it stays as it is; gives all answers.
    @discardableResult
    func watchToEnd(_ subject: String) async throws -> [WatchAlbumResponse] {
        let request = WatchAlbumRequest(subject: subject)
        let final: [BaseContracts.AlbumState] = [.complete, .completeWithErrors, .empty, .failed]
        var answers: [WatchAlbumResponse] = []
        for try await answer in photos.watchAlbum(request, options) {
            answers.append(answer)
            if let state = answer.album?.summary?.state, final.contains(state) { break }
        }
        return answers
    }

    /// Watches an album until it is as wanted.
    func watch(_ subject: String, until isWanted: (WatchAlbumResponse) -> Bool) async throws {
        for try await answer in photos.watchAlbum(WatchAlbumRequest(subject: subject), options) where isWanted(answer) {
            return
        }
    }

    /// Waits until so many pictures are kept; false when there are more or fewer after a while.
    func hasBlobs(_ count: Int) async throws -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while try await blobs.allNames().count != count {
            if .now > end { return false }
            await Task.yield()
        }
        return true
    }

    /// Those of the kept pictures that are JPEGs; the others are the same as WebP.
    func keptJPEGs() async throws -> [BlobName] {
        var names: [BlobName] = []
        for name in try await blobs.allNames() {
            // One may be removed meanwhile.
            let bytes = (try? await blobs.read(name)) ?? []
            if bytes.starts(with: [0xff, 0xd8, 0xff]) { names.append(name) }
        }
        return names
    }

    /// Waits until so many JPEGs are kept; false when there are more or fewer after a while.
    func hasJPEGs(_ count: Int) async throws -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while try await keptJPEGs().count != count {
            if .now > end { return false }
            await Task.yield()
        }
        return true
    }

    /// All bytes of a picture, and what was told of them; to "ann" unless the options are of others.
    func picture(
        _ id: String, _ size: BaseContracts.PictureSize, allowWebP: Bool = false, _ options: CallOptions? = nil
    ) async throws -> (bytes: [UInt8], info: PictureInfo) {
        var (bytes, info): ([UInt8], PictureInfo?) = ([], nil)
        let request = GetPictureRequest(photoId: id, size: size, allowWebp: allowWebP)
        for try await part in photos.getPicture(request, options ?? self.options) {
            bytes += part.data
            info = info ?? part.info
        }
        return (bytes, try #require(info))
    }
}
