import Geo

/// A point that somebody wants to explore, and what is known around it.
struct Pin: Equatable, Sendable {
    let id: PinID
    /// Whose it is.
    let account: String
    var name: String
    /// Whether a person chose the name; such a name stays when the pin moves.
    var isNamed: Bool
    var position: Coordinate
    /// Radius of its search in metres.
    var radiusMetres: Double
    var state: PinState
    /// Raised by one with each creation, move or search anew, from 1. It tells late answers of an earlier search apart.
    var generation: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let createdMilliseconds: Int64
    /// Grows with each change of the pin, its places or its album.
    var version: Int64 = 0
    var counts = PlaceCounts()
    var album = AlbumStanding()
    /// How the latest search of each network goes, by name.
    var searches: [NetworkSearch] = []
    /// Nil before the first time that a client told it.
    var span: MapSpan?
}

/// Where a pin's search stands. The numbers are kept in the database: one that was used never changes its meaning.
enum PinState: Int64, Sendable, CaseIterable {
    /// Created or moved, nothing found yet.
    case new = 1
    /// The first places are there.
    case partial = 2
    /// Every network has ended.
    case ready = 3
    /// Every network failed.
    case failed = 4
}

/// Why a pin can't be had.
enum PinError: Error, Equatable {
    /// The account has no such pin.
    case notFound(PinID)
}

/// The counters of a pin's places.
struct PlaceCounts: Equatable, Sendable {
    /// Places that are linked.
    var places: Int64 = 0
    /// Of these, places that have photos.
    var placesWithPhotos: Int64 = 0
    /// Photos of these places, all together.
    var photos: Int64 = 0
}

extension Pin {
    /// The first generation of a pin.
    static let firstGeneration: Int64 = 1

    /// A new pin, created now, whose search of these networks begins.
    init(_ draft: PinDraft, id: PinID, account: String, networks: [PlaceNetwork], unixMilliseconds: Int64) {
        self.init(
            id: id, account: account, name: draft.name ?? PointName(draft.position).text, isNamed: draft.name != nil,
            position: draft.position, radiusMetres: draft.radiusMetres, state: .new,
            generation: Self.firstGeneration, createdMilliseconds: unixMilliseconds,
            searches: networks.map { NetworkSearch(network: $0.name, generation: Self.firstGeneration) })
    }

    /// The pin at its new place, NEW again; nil when there is nothing to search anew. A name that nobody chose gives
    /// way to the new position's.
    func moved(_ move: PinMove, networks: [PlaceNetwork]) -> Pin? {
        let radius = move.radiusMetres ?? radiusMetres
        guard move.isForced || move.position != position || radius != radiusMetres else { return nil }
        var pin = self
        if !isNamed, move.position != position { pin.name = PointName(move.position).text }
        pin.position = move.position
        pin.radiusMetres = radius
        pin.state = .new
        pin.generation += 1
        pin.searches = networks.map { NetworkSearch(network: $0.name, generation: pin.generation) }
        return pin
    }

    /// The pin with a name that a person chose, or with its position's when that is nil.
    func renamed(_ name: String?) -> Pin {
        var pin = self
        pin.name = name ?? PointName(position).text
        pin.isNamed = name != nil
        return pin
    }
}
