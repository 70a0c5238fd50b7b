import Geo

/// An album as it is stored.
struct Album: Equatable, Sendable {
    let subject: AlbumSubject
    /// The account that owns it; empty for the shared album of a place.
    let account: String
    /// Of the pin; 0 for a place.
    let generation: Int64
    /// The newest generation whose search has ended; 0 for none.
    let searchedGeneration: Int64
    /// The point around which photos are searched for.
    let centre: Coordinate
    let radiusMetres: Double
    let isSearching: Bool
    /// Whether its pictures were requested; those of a pin's album always are.
    let isOpened: Bool
    /// From 1, raised by each New Collection.
    let collection: Int64
    let wish: CollectionWish?
    /// When the last New Collection was requested, in milliseconds since 1970; 0 for never.
    let collectedMilliseconds: Int64
    /// The position in the order that the next photo gets.
    let nextOrdinal: Int64
    var counters: AlbumCounters
    /// How many photos of this collection were shown in an earlier one.
    let repeatedCount: Int64
    let warning: String
    let version: Int64
    /// Version of the last change of which photos are shown.
    let listVersion: Int64
    /// Photos that the caller has removed.
    var removedCount: Int64 = 0
    /// The newest generation all of whose places the pin service has named; 0 for none.
    var namedGeneration: Int64 = 0
    /// The newest generation of which the photos of all its places are known; 0 for none.
    var completeGeneration: Int64 = 0
    /// How many photos networks that have not answered yet may still add.
    var missingCount: Int64 = 0
    /// The only networks that its searches ask, of those that the account has enabled.
    var networks = EnabledNetworks.all

    var phase: AlbumPhase {
        AlbumPhase(isSearching: isSearching, isCollecting: wish != nil, isOpened: isOpened, collection: collection)
    }

    var state: AlbumState { phase.state(counters) }
}

/// A New Collection that was requested and has not been made yet.
struct CollectionWish: Equatable, Sendable {
    let size: Int
    /// Whether photos that were removed may come back.
    let includesRemoved: Bool
    /// The account that requested it.
    let account: String
}

extension Album {
    /// How many photos a first search gives an album.
    static let firstSize = 24

    /// The album of a known place without known photos.
    static func empty(of place: KnownPlace) -> Album {
        Album(
            subject: .place(place.id), account: "", generation: 0, searchedGeneration: 0, centre: place.position,
            radiusMetres: PlaceAssignment.reachMetres, isSearching: false, isOpened: false, collection: 1, wish: nil,
            collectedMilliseconds: 0, nextOrdinal: 0, counters: AlbumCounters(), repeatedCount: 0, warning: "",
            version: 0, listVersion: 0)
    }
}

/// The state of an album. It is derived from stored data alone.
enum AlbumState: Equatable, Sendable {
    case searching, downloading, complete, empty, completeWithErrors, failed, listed

    /// Whether it stays until a change is requested.
    var isFinal: Bool {
        switch self {
        case .complete, .empty, .completeWithErrors, .failed: true
        case .searching, .downloading, .listed: false
        }
    }
}

/// How many photos an album shows, and the progress of their pictures.
struct AlbumCounters: Hashable, Sendable {
    var photos: Int64 = 0
    /// Photos whose pictures are stored.
    var ready: Int64 = 0
    /// Photos whose pictures can't be obtained.
    var failed: Int64 = 0

    /// The state of an album with these photos. `isOpened`: its pictures were requested.
    func state(isSearching: Bool, isOpened: Bool) -> AlbumState {
        if isSearching { return .searching }
        if photos == 0 { return .empty }
        if !isOpened { return .listed }
        if ready + failed < photos { return .downloading }
        if failed == 0 { return .complete }
        return failed == photos ? .failed : .completeWithErrors
    }
}

/// Chooses which photos a collection shows.
enum CollectionChoice {
    /// A photo that may be chosen.
    struct Candidate: Equatable, Sendable {
        let id: PhotoID
        /// The last collection that showed it; 0 for none.
        var lastShown: Int64 = 0
    }

    /// At most `size` of the candidates, which are ordered nearest first: those shown longest ago, or never, before the
    /// others; among these the nearest, one of each network in turn. No photo is chosen twice.
    static func choose(_ size: Int, from candidates: [Candidate]) -> [Candidate] {
        var known: Set<PhotoID> = []
        let single = candidates.filter { known.insert($0.id).inserted }
        let byAge = Dictionary(grouping: single, by: \.lastShown)
        var chosen: [Candidate] = []
        for age in byAge.keys.sorted() where chosen.count < size {
            chosen += inTurn(byAge[age] ?? []).prefix(size - chosen.count)
        }
        return chosen
    }

    /// One of each network in turn, beginning with the network of the first.
    private static func inTurn(_ candidates: [Candidate]) -> [Candidate] {
        var turns: [String: Int] = [:]
        let numbered = candidates.enumerated().map { index, candidate in
            let turn = turns[candidate.id.network, default: 0]
            turns[candidate.id.network] = turn + 1
            return (turn: turn, index: index, candidate: candidate)
        }
        return numbered.sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }.map(\.candidate)
    }
}
