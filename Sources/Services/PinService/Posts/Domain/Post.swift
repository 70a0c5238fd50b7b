import Geo

/// Where someone put themselves on the map.
struct Post: Equatable, Sendable {
    let id: String
    let account: String
    /// The name that the author had when it was posted.
    let author: String
    /// Where it is, in words.
    let place: String
    let link: String
    let position: Coordinate
    /// Milliseconds since 1970.
    let updatedMilliseconds: Int64
}
