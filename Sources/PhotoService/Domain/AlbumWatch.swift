/// How much of an album its watcher knows.
struct AlbumWatch: Equatable, Sendable {
    let subject: AlbumSubject
    let account: String
    /// The version that was told last; 0 for none.
    private(set) var version: Int64
    /// Whether the album was told to be there.
    private(set) var isKnown: Bool

    /// Goes on behind `version`; 0 begins.
    init(_ subject: AlbumSubject, account: String, after version: Int64) {
        self.subject = subject
        self.account = account
        self.version = version
        isKnown = version > 0
    }

    mutating func told(_ news: AlbumNews) {
        guard case .album(let answer, _) = news else { return }
        (version, isKnown) = (answer.album.version, true)
    }
}

/// What a watch reports of an album.
enum AlbumNews: Equatable, Sendable {
    /// The album with the photos that changed; with its first photos when `isWhole`.
    case album(AlbumAnswer, isWhole: Bool)
    /// There is no such album any more. Nothing comes behind it.
    case gone
}
