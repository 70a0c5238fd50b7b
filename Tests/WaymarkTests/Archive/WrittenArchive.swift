import Contracts
import Files
import TestTools
import Wire

@testable import AlbumArchive

/// An archive of an album with small pictures, in a folder of its own.
struct WrittenArchive {
    let folder = TemporaryFolder()
    var path: String { folder.file("album.zip") }
    let manifest: AlbumManifest

    static let photos = [
        Photo(
            id: "commons/7", title: "Market & <Square>", position: Coordinate(latitude: 60.1, longitude: 24.9),
            author: "Ann \"A\"", licence: "CC BY 4.0", sourceUrl: "https://commons.example/7?a=1&b=2",
            // Eight in the morning of the next day, in Tokyo.
            takenTime: TimestampMessage(unixMilliseconds: 1_720_652_400_000), tags: ["market", "Töölö"],
            takenOffsetMinutes: 540),
        Photo(id: "upload/abc", position: Coordinate(latitude: 60.2, longitude: 24.8)),
    ]

    /// - Parameters:
    ///   - change: may give a file other bytes, or take it away, after the manifest was written.
    ///   - extra: files that the manifest does not name.
    ///   - leftOut: photos of the album that the archive has no picture of.
    init(
        change: (String, [UInt8]) -> [UInt8]? = { $1 }, extra: [String] = [], leftOut: [Photo] = [],
        rewrite: (String) -> String = { $0 }
    ) throws {
        let pin = ArchivedPin(name: "Railway square", latitude: 60.17, longitude: 24.94, radiusM: 500)
        let subject = "pin/0198a1b2-0000-7000-8000-000000000001"
        var (archive, files) = (GrowingArchive(), [(name: String, bytes: [UInt8])]())
        for (index, photo) in Self.photos.enumerated() {
            let bytes = [0xff, 0xd8, 0xff] + Array("picture \(index)".utf8)
            _ = archive.add(photo, FileNotes(bytes))
            files.append((archive.photos[index].file.name, bytes))
        }
        for photo in leftOut { archive.leaveOut(photo, "it may not be shown") }
        manifest = try archive.end(subject: subject, pin: pin).manifest
        let page = AttributionPage.html(
            subject: subject, pin: pin, photos: manifest.photos, leftOut: manifest.leftOut ?? [])
        let text = rewrite(String(decoding: try manifest.bytes, as: UTF8.self))
        files += [(AlbumManifest.pageName, page), (AlbumManifest.fileName, Array(text.utf8))] + extra.map { ($0, [1]) }
        try Self.write(files.compactMap { file in change(file.name, file.bytes).map { (file.name, $0) } }, to: path)
    }

    private static func write(_ files: [(name: String, bytes: [UInt8])], to path: String) throws {
        var (zip, all) = (ZipStream(), [UInt8]())
        for file in files {
            let notes = FileNotes(file.bytes)
            all += zip.begin(file.name, byteCount: UInt32(file.bytes.count), crc32: notes.crc32) + file.bytes
        }
        try DiskFile.replace(path, with: all + zip.end())
    }
}
