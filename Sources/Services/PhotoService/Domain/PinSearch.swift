import Geo

/// One part of the input of a pin's photo search: the pin's position, and some of its places.
struct PinSearch: Equatable, Sendable {
    /// Places in one part.
    static let maximumPlaces = 1_000

    let pin: String
    let account: String
    /// From 1; raised when the pin moves.
    let generation: Int64
    let centre: Coordinate
    let radiusMetres: Double
    let places: [PlaceNote]
    /// Whether the search may begin.
    let isLast: Bool
    /// Whether another search of this generation, with more places, follows.
    let morePlacesFollow: Bool
    /// What its account has chosen; nil when the caller does not say.
    var chosen: NetworksChosen?
    /// The only ones of them that are asked for this pin.
    var limit = EnabledNetworks.all

    var subject: AlbumSubject { .pin(pin) }
}

/// A place as the search of a pin names it.
struct PlaceNote: Equatable, Sendable {
    let place: KnownPlace
    /// What its entry says about pictures of it; nil when that is not known.
    let pictureTags: [String]?
    /// Whether it is nothing that one would photograph; nil when that is not known.
    let isMinor: Bool?
}

/// A place that some pin's search has named.
struct KnownPlace: Equatable, Sendable {
    let id: String
    let position: Coordinate
}

/// Which networks have answered a search.
enum NetworkAnswers: Sendable {
    /// None was asked: only what is stored was looked at.
    case unasked
    /// All that are asked.
    case all
    /// One gave no answer; it is asked again later.
    case lacking
    /// One is still being asked.
    case awaited
}

/// What the search of a pin has found.
struct PinPhotos: Sendable {
    /// Photos of the pin that one search considers.
    static let limit = 4_000

    /// Of the pin, when the search began.
    let generation: Int64
    /// Whether all places of this generation were named by then.
    let areAllPlacesNamed: Bool
    /// Nearest to the pin first.
    let photos: [PhotoID]
    /// The photos of its places.
    let ofPlaces: PlacePhotos
    /// How often the known places had changed when the search began.
    let placeChanges: Int64
    /// Whether there were more photos than are considered.
    let isTruncated: Bool

    /// A warning for the user, with those of networks; empty when there is none.
    func warning(with others: [String]) -> String {
        let own = isTruncated ? ["there are more photos around the pin; the nearest \(Self.limit) were looked at"] : []
        return (own + others).joined(separator: "; ")
    }
}

/// Which photos belong to some places.
struct PlacePhotos: Sendable {
    /// The photos of one place.
    struct OfPlace: Sendable {
        let place: KnownPlace
        /// Those whose camera looked at it, nearest first.
        var facing: [PhotoID] = []
        /// The others, nearest first.
        var near: [PhotoID] = []
    }

    /// A photo in the album of a place to which it does not belong: another place is nearer to it.
    struct Misplaced: Sendable {
        let place: String
        let photo: PhotoID
    }

    /// In the order of the places' ids, without places that have no photos.
    var places: [OfPlace] = []
    var misplaced: [Misplaced] = []
}
