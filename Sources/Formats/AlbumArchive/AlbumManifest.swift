package import Contracts
import FoundationEssentials

/// What an archive of an album says of itself: its `manifest.json`.
package struct AlbumManifest: Codable, Equatable, Sendable {
    package static let fileName = "manifest.json"
    package static let pageName = "index.html"
    package static let currentFormat = "waymark-album"
    package static let currentVersion = 1

    private(set) var format = currentFormat
    private(set) var version = currentVersion
    /// "pin/018f…", "place/catalog/helsinki/node/1": whose album it was.
    package let subject: String
    /// Nil for the album of a place.
    package private(set) var pin: ArchivedPin?
    /// The page that shows the album in a browser.
    package let page: ArchivedFile
    /// In their order.
    package let photos: [ArchivedPhoto]
    /// The photos of the album that are not in the archive; nil when all are.
    package private(set) var leftOut: [LeftOutPhoto]?

    package init(
        subject: String, pin: ArchivedPin?, page: ArchivedFile, photos: [ArchivedPhoto], leftOut: [LeftOutPhoto] = []
    ) {
        self.subject = subject
        self.pin = pin
        self.page = page
        self.photos = photos
        self.leftOut = leftOut.isEmpty ? nil : leftOut
    }

    /// The manifest as it is stored: the same album gives the same bytes.
    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }
}

/// A photo that is not in the archive of its album, and why.
package struct LeftOutPhoto: Codable, Equatable, Sendable {
    package let id: String
    package let reason: String
}

/// A file of an archive, by its name there, which never leaves the folder that it is unpacked to.
package struct ArchivedFile: Codable, Equatable, Sendable {
    package let name: String
    package let byteCount: UInt64
    /// In 64 hexadecimal digits.
    package let sha256: String

    package init(_ name: String, _ file: FileNotes) {
        self.name = name
        byteCount = file.byteCount
        sha256 = file.sha256
    }
}

/// The pin whose album it was.
package struct ArchivedPin: Codable, Equatable, Sendable {
    package let name: String
    package let latitude: Double
    package let longitude: Double
    package let radiusM: Double

    package init(name: String, latitude: Double, longitude: Double, radiusM: Double) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusM = radiusM
    }

    /// Nil for a pin without a position.
    package init?(_ pin: Pin) {
        guard let position = pin.position else { return nil }
        self.init(
            name: pin.name, latitude: position.latitude, longitude: position.longitude, radiusM: pin.radiusM)
    }
}
