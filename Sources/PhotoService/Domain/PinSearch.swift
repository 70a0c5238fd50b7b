import Geo

/// One part of what a pin's search for photos is told: where the pin is, and some of its places.
struct PinSearch: Equatable, Sendable {
    /// Places in one part.
    static let placeLimit = 1_000

    let pin: String
    let account: String
    /// From 1; raised when the pin moves.
    let generation: Int64
    let centre: Coordinate
    let radiusMetres: Double
    let places: [KnownPlace]
    /// Whether the search may begin.
    let isLast: Bool

    var subject: AlbumSubject { .pin(pin) }
}

/// A place that the search of some pin has named.
struct KnownPlace: Equatable, Sendable {
    let id: String
    let position: Coordinate
}
