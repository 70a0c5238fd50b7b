package import FeatureFiles
package import Geo

/// A pin as a file says it, not yet checked but for its position.
package struct PinRecord: Equatable, Sendable {
    /// The id of the pin that Waymark wrote to the file; empty in files of others.
    package var id = ""
    package var name = ""
    /// Whether a person chose the name.
    package var isNamed = true
    package var position: Coordinate
    package var note = ""
    /// The day of a visit: "2026-05-04"; empty when the file says none.
    package var visitedDay = ""
    /// Nil when the file says none.
    package var radiusMetres: Double?
    /// When it was made, in milliseconds since 1970; nil when the file says none.
    package var createdMilliseconds: Int64?
    /// The lists that it is in.
    package var lists: [FeatureList] = []

    package init(position: Coordinate) { self.position = position }
}

extension FeatureList {
    /// What the places and ways of where a phone was are in.
    package static let phoneHistory = FeatureList(name: "Timeline")
}

/// What comes next in a file of pins.
package struct PinFileItem: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case pin(PinRecord)
        /// A place of which it says what, but not where.
        case unplaced(UnplacedRecord)
        /// Something that can't become a pin, or a part of the text that was passed over, and why.
        case bad(String)
        /// A line, a track, a route or an area.
        case track(TrackRecord)
        /// A line or an area of which nothing is left, in words.
        case line(String)
        /// A list that pins are in, with its colour.
        case list(FeatureList)
    }

    /// Of an archive, the file in it.
    package var fileName = ""
    /// Its number in the file, from 1; of a table its line. 0 for a part of the text: then the reason says where.
    package let number: UInt64
    package let content: Content
}

/// What a file may have at most.
package struct PinFileLimits: Sendable {
    /// Bytes when it is unpacked; of an archive all files together.
    package var unpackedBytes: UInt64 = 512 << 20
    /// The same of where a phone was, as JSON, and of an archive with such files: what a phone has measured in ten
    /// years is one or two gigabytes of text.
    package var timelineBytes: UInt64 = 3 << 30
    /// Files in an archive.
    package var archiveFiles = 20_000

    package init() {}
}
