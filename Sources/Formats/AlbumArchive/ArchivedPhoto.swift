import Bytes
import Contracts
import Wire

/// A photo of an archive: its record, and the file with its picture.
package struct ArchivedPhoto: Codable, Equatable, Sendable {
    /// The folder of an archive with the pictures.
    package static let folder = "pictures/"

    /// "<network>/<id at that network>".
    package let id: String
    package let file: ArchivedFile
    package let title: String
    package let author: String
    package let licence: String
    package let sourceUrl: String
    package let latitude: Double
    package let longitude: Double
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known. What the clock showed is taken for UTC where its
    /// offset is not known.
    package private(set) var takenMilliseconds: Int64?
    /// How many minutes the clocks there were ahead of UTC; nil when not known, and in earlier archives.
    package private(set) var takenOffsetMinutes: Int?
    /// Nil when there are none, as in archives of before there were any.
    package private(set) var tags: [String]?

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
        takenOffsetMinutes = takenMilliseconds == nil ? nil : photo.takenOffsetMinutes.map { Int($0) }
        tags = photo.tags.isEmpty ? nil : photo.tags
    }

    /// "pictures/002-market-square.jpg": by number, so that files sort as the album does.
    static func name(_ number: Int, of photo: Photo, _ picture: FileNotes) -> String {
        let digits = "\(number)"
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        let words = photo.title.lowercased().split(atScalars: { !$0.isDigit && !$0.isASCIILetter })
        let title = words.joined(separator: "-").prefix(40)
        return "\(folder)\(padded)\(title.isEmpty ? "" : "-\(title)").\(FileEnding.ending(of: picture.beginning))"
    }
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
