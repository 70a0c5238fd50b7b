import Geo

/// A place as a network gives it.
struct NetworkPlace: Equatable, Sendable {
    /// "<network>/<id at that network>".
    let id: String
    let name: String
    /// Most specific first, as paths: "amenity/cafe".
    let categories: [String]
    let position: Coordinate
}

/// A place that is linked to a pin.
struct LinkedPlace: Equatable, Sendable {
    let place: NetworkPlace
    /// Great-circle distance from the pin in metres.
    let metres: Double
    /// Photos in its album.
    let photoCount: Int64
    /// The pin's version with which the link was last changed.
    let version: Int64
}

/// A question for a page of a pin's places, known to be allowed.
struct PlaceListing: Equatable, Sendable {
    /// Where the page before ended.
    struct Cursor: Equatable, Sendable {
        /// Distance of its last place in metres.
        let metres: Double
        /// Id of its last place.
        let id: String

        /// Before all places.
        static let start = Cursor(metres: -1, id: "")
    }

    let pin: PinID
    /// Only places of these networks; all when empty.
    let networks: [String]
    /// Only places that have photos.
    let withPhotos: Bool
    let after: Cursor
    /// How many at most.
    var limit: Int
}

/// A page of a pin's places.
struct PlacesListed: Equatable, Sendable {
    /// Nearest first; equally near ones by id.
    let places: [LinkedPlace]
    /// Whether there are more behind these.
    let hasMore: Bool
    /// How many pass the filter, on all pages.
    let count: Int64
}
