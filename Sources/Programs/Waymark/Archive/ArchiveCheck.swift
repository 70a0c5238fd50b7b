import AlbumArchive
import Crypto
import Terminal
import ZipFiles

/// What a look into an archive found: whether each file is there, whole, and the one that the manifest names.
struct ArchiveCheck: Sendable {
    /// What is wrong with a file of the archive, or with the archive itself.
    struct Problem: Encodable, Equatable, Sendable {
        let file: String
        let problem: String
    }

    let path: String
    /// Nil when there is none that can be read.
    private(set) var manifest: AlbumManifest?
    private(set) var problems: [Problem] = []

    /// How many times smaller a file may be in the archive: more is no picture, but a trap.
    private static let largestRatio: UInt64 = 100

    /// Reads the whole archive. Blocks.
    init(_ path: String) {
        self.path = path
        do throws(ZipProblem) {
            let archive = try ZipArchive(reading: path)
            let entries = try archive.entries(limit: AlbumManifest.maximumPhotos + 2)
            check(archive, entries)
        } catch {
            report(path, "it is no whole ZIP archive: \(error)")
        }
        guard problems.isEmpty else { return }
        if (try? ArchiveNotes.areWhole(path)) != true {
            report(path, "its files are whole, but what it notes of them is not as it was written")
        }
    }

    private mutating func check(_ archive: borrowing ZipArchive, _ entries: [ZipArchive.Entry]) {
        var byName: [String: ZipArchive.Entry] = [:]
        for entry in entries where byName.updateValue(entry, forKey: entry.name) != nil {
            report(entry.name, "it is there twice")
        }
        guard let manifest = manifest(archive, byName.removeValue(forKey: AlbumManifest.fileName)) else { return }
        self.manifest = manifest
        for file in [manifest.page] + manifest.photos.map(\.file) {
            guard let entry = byName.removeValue(forKey: file.name) else {
                report(file.name, "it is missing")
                continue
            }
            check(archive, entry, file)
        }
        for name in byName.keys.sorted() { report(name, "it is not in the manifest") }
        let page = AttributionPage.html(
            subject: manifest.subject, pin: manifest.pin, photos: manifest.photos, leftOut: manifest.leftOut ?? [])
        if ArchivedFile(manifest.page.name, FileNotes(page)) != manifest.page {
            report(manifest.page.name, "it is not the page of these photos")
        }
    }

    private mutating func manifest(_ archive: borrowing ZipArchive, _ entry: ZipArchive.Entry?) -> AlbumManifest? {
        let name = AlbumManifest.fileName
        guard let entry else {
            report(name, "it is missing; this is no archive of an album")
            return nil
        }
        do {
            guard entry.byteCount <= AlbumManifest.maximumBytes else { throw CommandFailure("it is too large") }
            return try AlbumManifest(reading: try Self.bytes(of: entry, in: archive))
        } catch {
            report(name, "\(error)")
            return nil
        }
    }

    private mutating func check(_ archive: borrowing ZipArchive, _ entry: ZipArchive.Entry, _ file: ArchivedFile) {
        guard entry.byteCount == file.byteCount else {
            return report(file.name, "it has \(entry.byteCount) bytes, the manifest says \(file.byteCount)")
        }
        guard entry.byteCount / Self.largestRatio <= entry.packedByteCount else {
            return report(file.name, "it is packed into \(entry.packedByteCount) bytes, as no picture is")
        }
        var digest = RunningSHA256()
        do throws(ZipProblem) {
            try archive.read(entry) { digest.update($0) }
        } catch {
            return report(file.name, "it is damaged: \(error)")
        }
        if Picture.hexadecimal(digest.digest) != file.sha256 {
            report(file.name, "its bytes are not those of the manifest (SHA-256)")
        }
    }

    /// Any text may be a name in an archive.
    private mutating func report(_ file: String, _ problem: String) {
        problems.append(Problem(file: file.printable, problem: problem))
    }

    private static func bytes(
        of entry: ZipArchive.Entry, in archive: borrowing ZipArchive
    ) throws(ZipProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        try archive.read(entry) { bytes += $0 }
        return bytes
    }

    /// The bytes of a file of an archive that was found good. Blocks.
    static func bytes(of file: ArchivedFile, in path: String) throws -> [UInt8] {
        let archive = try ZipArchive(reading: path)
        let entries = try archive.entries(limit: AlbumManifest.maximumPhotos + 2)
        guard let entry = entries.first(where: { $0.name == file.name }), entry.byteCount == file.byteCount else {
            throw CommandFailure("\(path) changed while it was read")
        }
        return try bytes(of: entry, in: archive)
    }
}
