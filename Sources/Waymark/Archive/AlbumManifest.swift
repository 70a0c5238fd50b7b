import Contracts
import FoundationEssentials
import Terminal
import Wire

/// What an archive of an album says of itself: its `manifest.json`.
struct AlbumManifest: Codable, Equatable, Sendable {
    static let fileName = "manifest.json"
    static let pageName = "index.html"
    static let currentFormat = "waymark-album"
    static let currentVersion = 1
    /// More photos than an album has.
    static let photoLimit = 10_000
    static let byteLimit: UInt64 = 16 << 20

    var format = currentFormat
    var version = currentVersion
    /// "pin/018f…", "place/catalog/helsinki/node/1": whose album it was.
    let subject: String
    /// Nil for the album of a place.
    var pin: ArchivedPin?
    /// The page that shows the album in a browser.
    let page: ArchivedFile
    /// In their order.
    let photos: [ArchivedPhoto]

    /// The manifest as it is stored: the same album gives the same bytes.
    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }

    init(subject: String, pin: ArchivedPin?, page: ArchivedFile, photos: [ArchivedPhoto]) {
        self.subject = subject
        self.pin = pin
        self.page = page
        self.photos = photos
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

    private struct Head: Decodable {
        let format: String
        let version: Int
    }

    private func check() throws(CommandFailure) {
        guard photos.count <= Self.photoLimit else {
            throw CommandFailure("photos: \(photos.count) are not allowed; at most \(Self.photoLimit) are")
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

/// A file of an archive, by its name there, which never leaves the folder that it is unpacked to.
struct ArchivedFile: Codable, Equatable, Sendable {
    let name: String
    let byteCount: UInt64
    /// In 64 hexadecimal digits.
    let sha256: String

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        byteCount = UInt64(bytes.count)
        sha256 = Picture.digest(bytes)
    }

    func check(in field: String) throws(CommandFailure) {
        guard StartUploadRequest.byteCountRange.contains(byteCount) else {
            throw CommandFailure("\(field).byteCount: \(byteCount) is not allowed; 1 to 64 MiB are")
        }
        guard sha256.count == 64, sha256.allSatisfy({ $0.isASCII && $0.isHexDigit && !$0.isUppercase }) else {
            throw CommandFailure("\(field).sha256: 64 lower-case hexadecimal digits are needed")
        }
    }
}

/// The pin whose album it was.
struct ArchivedPin: Codable, Equatable, Sendable {
    let name: String
    let latitude: Double
    let longitude: Double
    let radiusM: Double

    func check() throws(CommandFailure) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw CommandFailure("pin: \(latitude), \(longitude) is no position")
        }
        guard CreatePinRequest.radiusMRange.contains(radiusM) else {
            throw CommandFailure("pin.radiusM: \(radiusM) is not allowed; 50 to 20000 metres are")
        }
        guard name.unicodeScalars.count <= CreatePinRequest.nameLength.upperBound else {
            throw CommandFailure("pin.name: it has more than 200 characters")
        }
    }
}
