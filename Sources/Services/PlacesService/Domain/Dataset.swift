import FieldRules

/// The name of a dataset: 1 to 63 of a-z, 0-9, '-' and '_'. Safe as the name of a folder.
struct DatasetName: Hashable, Comparable, Sendable, CustomStringConvertible {
    let description: String

    /// Nil for an invalid name.
    init?(_ text: String) {
        guard FieldForm.datasetName.takes(text) else { return nil }
        description = text
    }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// What is known of a dataset besides its places.
struct DatasetFacts: Codable, Hashable, Sendable {
    /// A title for people.
    var title: String
    /// The attribution that has to be shown with its places.
    var attribution: String
    /// The licence under which it may be used.
    var licence: String
    /// Edition of bundled data, compared at start; empty for what a client imported.
    var version = ""
    /// Whether it came with Waymark.
    var isBundled = false
    /// Milliseconds since 1970-01-01T00:00:00Z when it was imported.
    var importedUnixMilliseconds: Int64 = 0
    /// The upload that it came from; nil for bundled data.
    var upload: ImportedUpload?
    /// Its map; nil without one.
    var tiles: TileFacts?
    /// Its areas; nil without any, and when an earlier version imported it.
    var areas: AreaFacts?
    /// How many of its places have a street address; nil when an earlier version imported it.
    var addressCount: UInt64?
    /// The file that it was made of, to which changes can be applied; nil when there is none.
    var source: SourceFacts?
}

/// What is known of a dataset's areas.
struct AreaFacts: Codable, Hashable, Sendable {
    /// Areas, and names of streets.
    let count: UInt64
    let byteCount: UInt64
    /// The SHA-256 of their file, where that is in a bucket.
    var blob: String?
}

/// What is known of a dataset's map.
struct TileFacts: Codable, Hashable, Sendable {
    /// What it covers, in degrees times 1e7: west, south, east, north.
    let box: [Int32]
    let minimumZoom: Int
    let maximumZoom: Int
    let tileCount: UInt64
    let byteCount: UInt64
    /// The SHA-256 of its file, where that is in a bucket.
    var blob: String?
}

/// An upload that became a dataset, and the result of its import, which a repeated call gets again.
struct ImportedUpload: Codable, Hashable, Sendable {
    let id: String
    let rows: UInt64
    let badRows: UInt64
    let duplicates: UInt64
}
