/// A question for some of an album's photos.
struct AlbumPage: Equatable, Sendable {
    /// How many are on a page, and in a collection.
    static let mostPhotos: UInt32 = 250

    /// A photo and its place in the order.
    struct Entry: Equatable, Sendable {
        let photo: Photo
        let ordinal: Int64
    }

    let subject: AlbumSubject
    /// Who asks.
    let account: String
    /// Where the page before ended; -1 for the first.
    var after: Int64 = -1
    var size = Int(mostPhotos)
    /// Whether to list what was removed instead.
    var isOfRemoved = false
}

/// What was found.
struct AlbumAnswer: Equatable, Sendable {
    let album: Album
    let photos: [Photo]
    /// Where the next page begins; nil when this is the last.
    let next: Int64?

    /// From a page and, if there is one, the entry behind it.
    init(_ album: Album, _ entries: [AlbumPage.Entry], size: Int) {
        self.album = album
        photos = entries.prefix(size).map(\.photo)
        next = entries.count > size ? entries.prefix(size).last?.ordinal : nil
    }
}
