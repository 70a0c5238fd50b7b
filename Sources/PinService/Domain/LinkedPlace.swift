import Geo

/// A place as a network tells it.
struct FoundPlace: Equatable, Sendable {
    /// "<network>/<id at that network>".
    let id: String
    let name: String
    /// Most specific first, as paths: "amenity/cafe".
    let categories: [String]
    let position: Coordinate
}

/// A place that is linked to a pin.
struct LinkedPlace: Equatable, Sendable {
    let place: FoundPlace
    /// Great-circle distance from the pin in metres.
    let metres: Double
    /// Photos in its album.
    let photoCount: Int64
    /// The pin's version with which the link was last changed.
    let version: Int64
}
