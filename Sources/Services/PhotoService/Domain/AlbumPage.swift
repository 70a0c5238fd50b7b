import Bytes

/// A query for some of an album's photos.
struct AlbumPage: Equatable, Sendable {
    /// How many photos are on a page when a request doesn't say; as in the .proto.
    static let defaultSize = 250

    /// A photo and its position in the order.
    struct Entry: Equatable, Sendable {
        let photo: Photo
        let ordinal: Int64

        var reason: PhotoReason { PhotoReason(ordinal: ordinal) }
    }

    let subject: AlbumSubject
    /// The account that asks.
    let account: String
    /// Where the previous page ended; before all for the first.
    var after = Int64.min
    var size = defaultSize
    /// Whether to list what was removed instead.
    var isOfRemoved = false
    /// Whether those come first that stand for the album. Such a page has none after it.
    var isBestFirst = false
}

/// What was found.
struct AlbumAnswer: Equatable, Sendable {
    let album: Album
    let photos: [AlbumPage.Entry]
    /// Where the next page begins; nil when this is the last.
    let next: Int64?

    /// From a page and, if there is one, the entry after it.
    init(_ album: Album, _ entries: [AlbumPage.Entry], of page: AlbumPage) {
        self.album = album
        photos = Array(entries.prefix(page.size))
        next = entries.count > page.size && !page.isBestFirst ? photos.last?.ordinal : nil
    }
}

/// What an album belongs to: "pin/<id of the pin>" or "place/<id of the place>".
enum AlbumSubject: Hashable, Sendable {
    case pin(String)
    case place(String)

    /// The longest id of a pin, in bytes.
    static let maximumPinBytes = 64
    /// The longest id of a place, in bytes.
    static let maximumPlaceBytes = 1_100

    /// Nil when it is neither.
    init?(_ text: String) {
        guard let (kind, rest) = text.halves(at: "/") else { return nil }
        let id = String(rest)
        switch kind {
        case "pin" where Self.isPinID(id): self = .pin(id)
        case "place" where Self.isPlaceID(id): self = .place(id)
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .pin(let id): "pin/\(id)"
        case .place(let id): "place/\(id)"
        }
    }

    var isPin: Bool { if case .pin = self { true } else { false } }

    /// Letters, digits and hyphens.
    static func isPinID(_ id: String) -> Bool {
        (1...maximumPinBytes).contains(id.utf8.count) && id.utf8.allSatisfy { Self.pinBytes.contains($0) }
    }

    static func isPlaceID(_ id: String) -> Bool {
        (1...maximumPlaceBytes).contains(id.utf8.count)
            && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private static let pinBytes = Set("-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}

/// How much of an album its watcher has.
struct AlbumWatch: Equatable, Sendable {
    let subject: AlbumSubject
    let account: String
    /// The last version sent; 0 for none.
    private(set) var version: Int64
    /// Whether the watcher knows that the album exists.
    private(set) var isKnown: Bool
    /// The favourites that the watcher knows of a place's album, whose versions tell nothing of them, as accounts share
    /// it. Nil when that is not known.
    private(set) var favourites: Set<PhotoID>?

    /// Resumes after `version`; 0 begins.
    init(_ subject: AlbumSubject, account: String, after version: Int64) {
        self.subject = subject
        self.account = account
        self.version = version
        isKnown = version > 0
    }

    mutating func sent(_ delta: AlbumDelta) {
        guard case .album(let answer, let isWhole) = delta else { return }
        (version, isKnown) = (answer.album.version, true)
        guard !subject.isPin else { return }
        var known: Set<PhotoID> = isWhole ? [] : favourites ?? []
        for photo in answer.photos.map(\.photo) {
            if photo.isFavourite { known.insert(photo.id) } else { known.remove(photo.id) }
        }
        favourites = known
    }
}

/// An update for a watcher.
enum AlbumDelta: Equatable, Sendable {
    /// The album with the photos that changed; with its first photos when `isWhole`.
    case album(AlbumAnswer, isWhole: Bool)
    /// The album no longer exists. Nothing follows.
    case gone
}
