import Geo

/// What is known of an uploaded photo besides its file.
struct PhotoNotes: Equatable, Sendable {
    /// May be empty, as the credit: then what the file says is taken.
    var title = ""
    var credit = Credit(author: "", licence: "", sourceURL: "")
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known.
    var takenMilliseconds: Int64?
    var position: Coordinate?
    /// As `PhotoTags` allows them; none by itself.
    var tags: [String] = []
}
