import Contracts
import Files
import TestTools
import ZipFiles

@testable import Waymark

/// An archive of an album with small pictures, in a folder of its own.
struct WrittenArchive {
    let folder = TemporaryFolder()
    var path: String { folder.file("album.zip") }
    let manifest: AlbumManifest

    static let photos = [
        Photo(
            id: "commons/7", title: "Market & <Square>", position: Coordinate(latitude: 60.1, longitude: 24.9),
            author: "Ann \"A\"", licence: "CC BY 4.0", sourceUrl: "https://commons.example/7?a=1&b=2",
            tags: ["market", "Töölö"]),
        Photo(id: "upload/abc", position: Coordinate(latitude: 60.2, longitude: 24.8)),
    ]

    /// - Parameters:
    ///   - change: may give a file other bytes, or take it away, after the manifest was written.
    ///   - extra: files that the manifest does not name.
    init(
        change: (String, [UInt8]) -> [UInt8]? = { $1 }, extra: [String] = [],
        rewrite: (String) -> String = { $0 }
    ) throws {
        let pin = ArchivedPin(name: "Railway square", latitude: 60.17, longitude: 24.94, radiusM: 500)
        let pictures = Self.photos.enumerated().map { index, photo in
            let bytes = [0xff, 0xd8, 0xff] + Array("picture \(index)".utf8)
            return (ArchivedPhoto(photo, ArchivedFile(ArchivedPhoto.name(index + 1, of: photo, bytes), bytes)), bytes)
        }
        let subject = "pin/0198a1b2-0000-7000-8000-000000000001"
        let page = AttributionPage.html(subject: subject, pin: pin, photos: pictures.map(\.0))
        manifest = AlbumManifest(
            subject: subject, pin: pin, page: ArchivedFile(AlbumManifest.pageName, page), photos: pictures.map(\.0))
        let text = rewrite(String(decoding: try manifest.bytes, as: UTF8.self))
        var files = [(AlbumManifest.pageName, page), (AlbumManifest.fileName, Array(text.utf8))]
        files += pictures.map { ($0.0.file.name, $0.1) } + extra.map { ($0, [1]) }
        let archive = try NewZip(replacing: path)
        for (index, file) in files.enumerated() {
            guard let bytes = change(file.0, file.1) else { continue }
            let source = folder.file("part\(index)")
            try DiskFile.replace(source, with: bytes)
            try archive.add(file.0, file: source)
        }
        try archive.write()
    }
}
