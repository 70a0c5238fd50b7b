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
}
