/// What is known of a dataset beside its places.
struct DatasetFacts: Codable, Hashable, Sendable {
    /// A title for people.
    var title: String
    /// Who must be named beside its places.
    var attribution: String
    /// Under which licence it may be used.
    var licence: String
    /// Edition of bundled data, compared at start; empty for what a client imported.
    var version = ""
    /// Whether it came with Waymark.
    var isBundled = false
    /// Milliseconds since 1970-01-01T00:00:00Z when it was imported.
    var importedUnixMilliseconds: Int64 = 0
    /// The upload that it came from; nil for bundled data.
    var upload: ImportedUpload?
}

/// An upload that became a dataset, and what was told at its end: who asks for the import again is told the same.
struct ImportedUpload: Codable, Hashable, Sendable {
    let id: String
    let rows: UInt64
    let badRows: UInt64
    let duplicates: UInt64
}
