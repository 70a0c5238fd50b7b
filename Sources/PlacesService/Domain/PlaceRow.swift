/// One place as a file gives it, not yet checked.
struct PlaceRow {
    static let mostCategories = 16

    /// Nil when the file has no ids.
    var id: String?
    var name = ""
    /// Category paths with ';' between them.
    var categories = ""
    /// Degrees north.
    var latitude = 0.0
    /// Degrees east.
    var longitude = 0.0
    /// What else the file says, in its order; empty values are left out.
    var attributes: [(key: String, value: String)] = []
}

/// Why a row can't become a place.
struct RowProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
