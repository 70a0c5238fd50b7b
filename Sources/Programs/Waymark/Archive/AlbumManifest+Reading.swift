import AlbumArchive
import Bytes
import Contracts
import FoundationEssentials
import Refusals
import Terminal
import Wire

// An archive comes from anywhere: its manifest is used only when every field is as it may be.

extension AlbumManifest {
    /// More photos than an album has.
    static let maximumPhotos = 10_000
    static let maximumBytes: UInt64 = 16 << 20

    private struct Head: Decodable {
        let format: String
        let version: Int
    }

    /// Reads a manifest whose every field is as it may be.
    init(reading bytes: [UInt8]) throws(CommandFailure) {
        do {
            let head = try JSONDecoder().decode(Head.self, from: Data(bytes))
            guard head.format == Self.currentFormat, head.version == Self.currentVersion else {
                throw CommandFailure(
                    "it is of \(head.format.prefix(100)) \(head.version); this program reads "
                        + "\(Self.currentFormat) \(Self.currentVersion)".printable)
            }
            self = try JSONDecoder().decode(AlbumManifest.self, from: Data(bytes))
            try check()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("it is no manifest of an album: \(error)".printable)
        }
    }

    private func check() throws(CommandFailure) {
        for (field, count) in [("photos", photos.count), ("leftOut", leftOut?.count ?? 0)] {
            guard count <= Self.maximumPhotos else {
                throw CommandFailure("\(field): \(count) are not allowed; at most \(Self.maximumPhotos) are")
            }
        }
        guard page.name == Self.pageName else { throw CommandFailure("page.name: it must be \(Self.pageName)") }
        try page.check(in: "page")
        try pin?.check()
        var names: Set<String> = []
        for (index, photo) in photos.enumerated() {
            try photo.check(in: "photos[\(index)]")
            guard names.insert(photo.file.name).inserted else {
                throw CommandFailure("photos[\(index)].file.name: \(photo.file.name) is there twice")
            }
        }
    }
}

extension ArchivedFile {
    fileprivate func check(in field: String) throws(CommandFailure) {
        guard StartUploadRequest.byteCountRange.contains(byteCount) else {
            throw CommandFailure("\(field).byteCount: \(byteCount) is not allowed; 1 to 64 MiB are")
        }
        guard sha256.utf8.count == 64, sha256.utf8.allSatisfy("0123456789abcdef".utf8.contains) else {
            throw CommandFailure("\(field).sha256: 64 lower-case hexadecimal digits are needed")
        }
    }
}

extension ArchivedPin {
    fileprivate func check() throws(CommandFailure) {
        let request = CreatePinRequest(
            position: Coordinate(latitude: latitude, longitude: longitude), radiusM: radiusM, name: name)
        do { try request.check() } catch { throw CommandFailure("pin.\(error.inJSON)".printable) }
    }
}

extension ArchivedPhoto {
    private static let nameBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8)

    /// For the service that gets it as an upload.
    var record: PhotoRecord {
        PhotoRecord(
            title: title, author: author, licence: licence, sourceUrl: sourceUrl,
            takenTime: takenMilliseconds.map { TimestampMessage(unixMilliseconds: $0) },
            position: Coordinate(latitude: latitude, longitude: longitude), copyOf: id,
            tags: tags ?? [], takenOffsetMinutes: takenOffsetMinutes.flatMap { Int32(exactly: $0) })
    }

    fileprivate func check(in field: String) throws(CommandFailure) {
        try file.check(in: "\(field).file")
        let name = file.name.after(Self.folder) ?? ""
        let isPlain = name.utf8.allSatisfy { Self.nameBytes.contains($0) } && (1...100).contains(name.utf8.count)
        guard isPlain, !name.begins(with: ".") else {
            throw CommandFailure(
                "\(field).file.name: \"\(file.name.prefix(100))\" is not allowed; pictures/ and a name of letters, "
                    + "digits, - and . is".printable)
        }
        do { try record.check() } catch { throw CommandFailure("\(field).\(error.inJSON)".printable) }
    }
}
