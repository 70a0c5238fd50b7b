package import Arguments

/// A source of places, photos or maps: a row of the table of all that there are. What is said of a network anywhere but
/// in its provider is said here: flags, forms of the contract, branches of `Explore` and words for people follow from
/// it.
package struct Network: Sendable {
    /// With which the ids of its places and photos begin, and its flags: "openstreetmap".
    package let name: String
    /// What people call it.
    package let label: String
    /// What it gives of places; nil for none.
    package var places: PlaceOffer?
    /// What it gives of photos; nil for none.
    package var photos: PhotoOffer?
    /// What it gives of maps; nil for none.
    package var maps: MapOffer?
    /// How it is asked; nil for what is on this server.
    package var asked: Asking?
    /// Whether an account can give it a key of its own.
    package var takesKeys = false
    /// Whether accounts choose that their searches ask it. Giving a key for a library is the choice.
    package var isChosen = true

    /// All that there are: what is here first, then as they are listed for people.
    package static let all = [
        catalog, folder, upload, openstreetmap, foursquare, instagram, commons, flickr, panoramax, immich,
        streetmap,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func named(_ name: String) -> Network? { byName[name] }
}

/// What a network gives of places.
package struct PlaceOffer: Sendable {
    /// How many of its places a pin links at most in one search: few where each place costs a request for its photos.
    package let maximumLinks: Int
    /// What has to be shown with them; empty for the catalog, whose datasets have their own.
    package var attribution = ""
    /// The largest circle that it can be asked about, in metres; nil when there is no limit.
    package var maximumRadiusMetres: Double?
    /// The settings that make it available, besides a contact.
    package var needs: [Option] = []
    package var settings: [Option] = []
}

/// What a network gives of photos.
package struct PhotoOffer: Sendable {
    /// What its terms require to be shown with a photo.
    package struct Demand: Sendable {
        package var author = false
        package var licence = false
        package var source = false
    }

    package var demand = Demand()
    /// Whether it has photos of an area, of which albums are made. Others have those of their own places alone.
    package var isOfAreas = false
    package var settings: [Option] = []
}

/// What a network gives of maps.
package struct MapOffer: Sendable {
    /// What has to be shown with them, until its server says it better.
    package let attribution: String
    package var settings: [Option] = []
}

/// How often a network is asked unless settings say something else, and where.
package struct Asking: Sendable {
    /// Where it is, of one that needs no key: it is on when its address is given, or an administrator switches it on.
    package var address: String?
    /// Requests per second.
    package let rate: String
    /// Requests at the same time.
    package let atOnce: Int
    /// Requests per day.
    package var perDay = 5_000
}

extension Network: Hashable {
    package static func == (left: Network, right: Network) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
