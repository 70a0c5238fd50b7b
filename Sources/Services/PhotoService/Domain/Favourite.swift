/// A photo that an account likes to keep.
struct Favourite: Equatable, Sendable {
    let photo: Photo
    /// What the pin or the place was called where it was seen; may be empty.
    let placeName: String
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let addedMilliseconds: Int64
    /// Its position in the order; a newer one has a higher one.
    let ordinal: Int64
}

/// What happens to a favourite.
enum FavouriteWish: Sendable {
    case add, remove, toggle
}

/// A query for some of an account's favourites, the newest first.
struct FavouritePage: Equatable, Sendable {
    let account: String
    /// Only of these networks; of all when empty.
    let networks: [String]
    /// Where the previous page ended.
    var before = Int64.max
    let size: Int
}

/// What was found.
struct FavouritesFound: Sendable {
    let favourites: [Favourite]
    /// Where the next page begins; nil when this is the last.
    let next: Int64?
}
