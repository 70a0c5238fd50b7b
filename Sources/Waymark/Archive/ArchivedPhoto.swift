import Contracts
import Terminal
import Wire

/// A photo of an archive: its record, and the file with its picture.
struct ArchivedPhoto: Codable, Equatable, Sendable {
    /// "<network>/<id at that network>".
    let id: String
    let file: ArchivedFile
    let title: String
    let author: String
    let licence: String
    let sourceUrl: String
    let latitude: Double
    let longitude: Double
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known.
    var takenMilliseconds: Int64?
    /// Nil when there are none, as in archives of before there were any.
    var tags: [String]?

    init(_ photo: Photo, _ file: ArchivedFile) {
        id = photo.id
        self.file = file
        title = photo.title
        author = photo.author
        licence = photo.licence
        sourceUrl = photo.sourceUrl
        latitude = photo.position?.latitude ?? 0
        longitude = photo.position?.longitude ?? 0
        takenMilliseconds = photo.takenTime?.unixMilliseconds
        tags = photo.tags.isEmpty ? nil : photo.tags
    }

    /// For the service that gets it as an upload.
    var record: PhotoRecord {
        PhotoRecord(
            title: title, author: author, licence: licence, sourceUrl: sourceUrl,
            takenTime: takenMilliseconds.map { TimestampMessage(unixMilliseconds: $0) },
            position: Coordinate(latitude: latitude, longitude: longitude), copyOf: id,
            tags: tags ?? [])
    }

    /// "pictures/002-market-square.jpg": by number, so that files sort as the album does.
    static func name(_ number: Int, of photo: Photo, _ picture: [UInt8]) -> String {
        let digits = "\(number)"
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        let words = photo.title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let title = words.joined(separator: "-").prefix(40)
        return "\(folder)\(padded)\(title.isEmpty ? "" : "-\(title)").\(FileEnding.ending(of: picture))"
    }

    private static let folder = "pictures/"
    private static let tagLength = 64

    func check(in field: String) throws(CommandFailure) {
        try file.check(in: "\(field).file")
        let name = file.name.dropFirst(Self.folder.count)
        let isPlain = name.utf8.allSatisfy { Self.nameBytes.contains($0) } && (1...100).contains(name.utf8.count)
        guard file.name.hasPrefix(Self.folder), isPlain, name.first != "." else {
            throw CommandFailure(
                "\(field).file.name: \"\(file.name.prefix(100))\" is not allowed; pictures/ and a name of letters, "
                    + "digits, - and . is".printable)
        }
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw CommandFailure("\(field): \(latitude), \(longitude) is no position")
        }
        for (part, text, length) in [
            ("title", title, PhotoRecord.titleLength), ("author", author, PhotoRecord.authorLength),
            ("licence", licence, PhotoRecord.licenceLength), ("sourceUrl", sourceUrl, PhotoRecord.sourceUrlLength),
        ] where text.unicodeScalars.count > length.upperBound {
            throw CommandFailure("\(field).\(part): it has more than \(length.upperBound) characters")
        }
        guard tags?.count ?? 0 <= PhotoRecord.tagsLength.upperBound else {
            throw CommandFailure("\(field).tags: it has more than \(PhotoRecord.tagsLength.upperBound)")
        }
        guard (tags ?? []).allSatisfy({ $0.unicodeScalars.count <= Self.tagLength }) else {
            throw CommandFailure("\(field).tags: one has more than \(Self.tagLength) characters")
        }
        guard sourceUrl.isEmpty || AttributionPage.isWebAddress(sourceUrl) else {
            throw CommandFailure("\(field).sourceUrl: an address of http or https is needed")
        }
    }

    private static let nameBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8)
}

/// What kind of file a picture is, by its first bytes.
enum FileEnding {
    /// The ending of its name; "bin" when it is none of these.
    static func ending(of bytes: [UInt8]) -> String {
        let head = bytes.prefix(12)
        if head.starts(with: [0xff, 0xd8, 0xff]) { return "jpg" }
        if head.starts(with: [0x89] + Array("PNG".utf8)) { return "png" }
        if head.starts(with: "GIF8".utf8) { return "gif" }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) { return "webp" }
        if head.starts(with: Array("II*".utf8) + [0]) || head.starts(with: Array("MM".utf8) + [0, 0x2a]) {
            return "tif"
        }
        // ISO base media: a box "ftyp", whose first word is the brand.
        guard head.dropFirst(4).starts(with: "ftyp".utf8) else { return "bin" }
        return head.dropFirst(8).elementsEqual("avif".utf8) ? "avif" : "heic"
    }
}
