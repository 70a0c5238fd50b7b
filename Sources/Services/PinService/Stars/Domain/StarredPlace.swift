import Geo

/// A place that an account has given a star, as it was then.
struct StarredPlace: Equatable, Sendable {
    /// How many an account may have.
    static let limit = 10_000

    /// "<network>/<id at that network>".
    let id: String
    /// May be empty.
    let name: String
    /// Most specific first, as paths: "amenity/cafe".
    let categories: [String]
    let position: Coordinate
    /// What the pin or the town is called where it was seen; may be empty.
    let whereabouts: String
    /// Since when it has its star, in milliseconds since 1970-01-01T00:00:00Z.
    var starredMilliseconds: Int64
}

/// A query for a page of an account's places with a star, already validated; those that got it last come first.
struct StarListing: Equatable, Sendable {
    /// The ordinal of the last place of the previous page.
    let before: Int64
    /// The most places on the page.
    let limit: Int
}

/// A page of places with a star.
struct StarsListed: Sendable {
    let places: [StarredPlace]
    /// The ordinal of the last one; nil for the last page.
    let end: Int64?
}

/// Why a place gets no star.
enum StarError: Error, Equatable {
    /// The account has as many as it may have.
    case tooMany
}
