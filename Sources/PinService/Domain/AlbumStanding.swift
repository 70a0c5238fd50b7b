/// What the photo service last said of a pin's album.
struct AlbumStanding: Equatable, Sendable {
    /// Where an album stands. The numbers are kept in the database: one that was used never changes its meaning.
    enum State: Int64, Sendable, CaseIterable {
        case searching = 1
        case downloading = 2
        case complete = 3
        case empty = 4
        case completeWithErrors = 5
        case failed = 6
        case listed = 7
    }

    var state = State.searching
    var photoCount: Int64 = 0
    var readyCount: Int64 = 0
    var failedCount: Int64 = 0
    /// The pin's generation for which the photos of all its places are known; 0 for none.
    var generation: Int64 = 0
}
