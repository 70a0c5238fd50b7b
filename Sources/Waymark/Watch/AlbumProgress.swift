import Contracts

/// An album as a watch has told it so far.
struct AlbumProgress: WatchProgress {
    private(set) var album: Album
    /// Photos whose pictures came, failed or began to come last, the latest at the end.
    private(set) var latest: [Photo] = []
    private(set) var isGone = false
    private(set) var hasBegun = false
    /// Everything up to here has been told.
    private(set) var version: UInt64 = 0

    /// How many photos are kept.
    static let latestLimit = 5

    init(subject: String) { album = Album(subject: subject) }

    mutating func apply(_ message: WatchAlbumResponse) {
        hasBegun = true
        version = message.version
        isGone = message.deleted
        if let album = message.album, !isGone { self.album = album }
        let told = message.isWhole ? Set(latest.map(\.id)) : Set(message.photos.map(\.id))
        let begun = message.photos.filter { ![.waiting, .unspecified].contains($0.state) }
        latest = Array((latest.filter { !told.contains($0.id) } + begun).suffix(Self.latestLimit))
    }

    /// Its pictures are there or can't be had. The pictures of a place's album that was never opened do not come by
    /// themselves.
    var isSettled: Bool {
        let state = album.summary?.state ?? .unspecified
        return state.isFinal || state == .listed
    }

    /// Whether something is there to look at, be it the knowledge that there is nothing.
    var isWell: Bool { !isGone && album.summary?.state != .failed }
}
