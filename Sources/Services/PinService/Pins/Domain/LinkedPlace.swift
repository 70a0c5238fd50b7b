import Geo

/// A place as returned by a network.
struct NetworkPlace: Equatable, Sendable {
    /// "<network>/<id at that network>".
    let id: String
    let name: String
    /// Most specific first, as paths: "amenity/cafe".
    let categories: [String]
    let position: Coordinate
    /// What its entry says about pictures of it: "image=File:Old bridge.jpg".
    var pictureTags: [String] = []
}

/// A place that is linked to a pin.
struct LinkedPlace: Equatable, Sendable {
    let place: NetworkPlace
    /// Great-circle distance from the pin in metres.
    let metres: Double
    /// Photos in its album.
    let photoCount: Int64
    /// The version of the pin at the link's last change.
    let version: Int64
}

/// A query for a page of a pin's places, already validated.
struct PlaceListing: Equatable, Sendable {
    /// Where the previous page ended.
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
    /// The most places on the page.
    var limit: Int
}

/// A page of a pin's places.
struct PlacesListed: Equatable, Sendable {
    /// Nearest first; equally near ones by id.
    let places: [LinkedPlace]
    /// Whether more places follow.
    let hasMore: Bool
    /// How many match the filter, on all pages.
    let count: Int64
}
