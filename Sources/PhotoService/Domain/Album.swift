import Geo

/// An album as it is stored.
struct Album: Equatable, Sendable {
    let subject: AlbumSubject
    /// Whose album it is; empty for the shared one of a place.
    let account: String
    /// Of the pin; 0 for a place.
    let generation: Int64
    /// The newest generation whose search has ended; 0 for none.
    let searchedGeneration: Int64
    /// Where photos are looked for.
    let centre: Coordinate
    let radiusMetres: Double
    let isSearching: Bool
    /// Whether its pictures are wanted; those of a pin always are.
    let isOpened: Bool
    /// From 1, raised by each New Collection.
    let collection: Int64
    let wish: CollectionWish?
    /// When the last New Collection was asked for, in milliseconds since 1970; 0 for never.
    let collectedMilliseconds: Int64
    /// The place in the order that the next photo gets.
    let nextOrdinal: Int64
    var counters: AlbumCounters
    /// How many photos of this collection were shown in an earlier one.
    let repeatedCount: Int64
    let warning: String
    let version: Int64
    /// Version of the last change of which photos are shown.
    let listVersion: Int64
    /// Photos that the one who asks has removed.
    var removedCount: Int64 = 0

    var state: AlbumState { counters.state(isSearching: isSearching || wish != nil, isOpened: isOpened) }
}

/// A New Collection that is on its way.
struct CollectionWish: Equatable, Sendable {
    static let defaultSize: UInt32 = 24

    let size: Int
    /// Whether photos that were removed may come back.
    let includesRemoved: Bool
    /// Who asked for it.
    let account: String
}

extension Album {
    /// How many photos a first search gives an album.
    static let firstSize = 24

    /// The album of a place that is known, but for which no photos are.
    static func empty(of place: KnownPlace) -> Album {
        Album(
            subject: .place(place.id), account: "", generation: 0, searchedGeneration: 0, centre: place.position,
            radiusMetres: PlaceAssignment.reachMetres, isSearching: false, isOpened: false, collection: 1, wish: nil,
            collectedMilliseconds: 0, nextOrdinal: 0, counters: AlbumCounters(), repeatedCount: 0, warning: "",
            version: 0, listVersion: 0)
    }
}
