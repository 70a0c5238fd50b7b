/// What decides an album's state besides its photos. Stored with the album, and changed by `after` alone.
struct AlbumPhase: Hashable, Sendable {
    /// Whether its first photos, or those around a new point, are being looked for.
    var isSearching: Bool
    /// Whether a New Collection was requested and has not been made yet.
    var isCollecting: Bool
    /// Whether its pictures were requested; those of a pin's album always are.
    var isOpened: Bool
    /// From 1, raised by each New Collection that found photos.
    var collection: Int64

    /// The state of an album with these photos.
    func state(_ counters: AlbumCounters) -> AlbumState {
        counters.state(isSearching: isSearching || isCollecting, isOpened: isOpened)
    }

    /// What follows from an event; nil where it is refused. An album's photos are counted behind it.
    func after(_ event: AlbumEvent, _ counters: AlbumCounters) -> AlbumPhase? {
        var next = self
        switch event {
        case .searchRequested: next.isSearching = true
        case .searched(let isAwaited): next.isSearching = isAwaited
        case .opened: next.isOpened = true
        case .collectionRequested:
            guard state(counters).isFinal else { return nil }
            next.isCollecting = true
            next.isOpened = true
        case .collected(let hasOthers):
            guard isCollecting else { return nil }
            next.isCollecting = false
            if hasOthers { next.collection += 1 }
        }
        return next
    }
}

/// What happens to an album. What happens to its photos changes its counters alone.
enum AlbumEvent: Hashable, Sendable {
    /// A pin is new or has moved; a place's entry names photos that are not known yet.
    case searchRequested
    /// The search has ended. `isAwaited`: there is no photo yet, and a network will answer in a moment.
    case searched(isAwaited: Bool)
    /// Its pictures are requested.
    case opened
    /// A New Collection is requested. Refused unless the state is final.
    case collectionRequested
    /// The search for a New Collection has ended. `hasOthers`: there are photos to show instead.
    case collected(hasOthers: Bool)
}
