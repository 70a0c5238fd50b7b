import Geo

/// What is known of an uploaded photo besides its file.
struct PhotoNotes: Equatable, Sendable {
    /// May be empty, as the credit: then what the file says is taken.
    var title = ""
    var credit = Credit(author: "", licence: "", sourceURL: "")
    /// As those of a photo; the offset belongs to the time.
    var takenMilliseconds: Int64?
    var takenOffsetMinutes: Int?
    var position: Coordinate?
    /// As `PhotoTags` allows them; none by itself.
    var tags: [String] = []
}
