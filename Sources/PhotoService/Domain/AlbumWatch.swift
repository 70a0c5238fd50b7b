/// Some albums, and how much of each the watcher knows.
struct AlbumWatch: Equatable, Sendable {
    static let albumRange = 1...100

    /// One album that is watched.
    struct Cursor: Equatable, Sendable {
        let subject: AlbumSubject
        let account: String
        /// The version that was told last; 0 for none.
        var version: Int64
        /// Whether the album was told to be there.
        var isKnown: Bool
    }

    private(set) var cursors: [Cursor]

    init(_ cursors: [Cursor]) { self.cursors = cursors }

    /// Whether all that is watched is gone.
    var isOver: Bool { cursors.isEmpty }

    mutating func told(_ news: AlbumNews) {
        guard let index = cursors.firstIndex(where: { $0.subject == news.subject }) else { return }
        switch news {
        case .gone: cursors.remove(at: index)
        case .album(let answer, _): (cursors[index].version, cursors[index].isKnown) = (answer.album.version, true)
        }
    }
}

/// What a watcher is told of one album.
enum AlbumNews: Equatable, Sendable {
    /// The album with the photos that changed; with its first photos when `isWhole`.
    case album(AlbumAnswer, isWhole: Bool)
    /// There is no such album any more.
    case gone(AlbumSubject)

    var subject: AlbumSubject {
        switch self {
        case .album(let answer, _): answer.album.subject
        case .gone(let subject): subject
        }
    }
}
