/// Where an album stands. It is decided by what is stored, and nothing else.
enum AlbumState: Equatable, Sendable {
    case searching, downloading, complete, empty, completeWithErrors, failed, listed

    /// Whether it stays until somebody asks for a change.
    var isFinal: Bool {
        switch self {
        case .complete, .empty, .completeWithErrors, .failed: true
        case .searching, .downloading, .listed: false
        }
    }
}

/// How many photos an album shows, and how far their pictures are.
struct AlbumCounters: Equatable, Sendable {
    var photos: Int64 = 0
    /// Photos whose pictures are there.
    var ready: Int64 = 0
    /// Photos whose pictures can't be had.
    var failed: Int64 = 0

    /// The state of an album with these photos. `isOpened` tells that its pictures are wanted.
    func state(isSearching: Bool, isOpened: Bool) -> AlbumState {
        if isSearching { return .searching }
        if photos == 0 { return .empty }
        if !isOpened { return .listed }
        if ready + failed < photos { return .downloading }
        if failed == 0 { return .complete }
        return failed == photos ? .failed : .completeWithErrors
    }
}
