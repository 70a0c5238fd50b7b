import Geo

/// Why another service did not do what it was asked to.
enum PeerError: Error, Equatable, CustomStringConvertible {
    /// It could not be asked, or had no time; asking again will help some day.
    case unreachable(String)
    /// It gives nothing for now, and wants to be left alone for so many milliseconds; nil when it does not say.
    case busy(String, pauseMilliseconds: Int64?)
    /// It says that it can't.
    case refused(String)

    var description: String {
        switch self {
        case .unreachable(let reason), .busy(let reason, _), .refused(let reason): reason
        }
    }

    /// How long to wait before asking again.
    var pause: Duration {
        guard case .busy(_, let milliseconds?) = self else { return .zero }
        return .milliseconds(milliseconds)
    }
}

/// A question for the places of a network around a pin.
struct PlaceQuestion: Equatable, Sendable {
    let network: String
    let centre: Coordinate
    /// Nil: those nearest to the centre, however far away they are.
    let radiusMetres: Double?
    /// For whom it is asked.
    let account: String
}

/// A part of the answer.
struct PlacePage: Equatable, Sendable {
    /// Nearest first.
    let places: [NetworkPlace]
    /// Names what comes behind; empty when nothing does.
    let next: String
}

/// What came of asking a live network.
struct LiveAnswer: Equatable, Sendable {
    /// Why it gave nothing, or not all; nil when it gave what it has.
    var failure: PeerError?
    /// What a person should know although it did.
    var warning: String?
}

/// A place around a pin that is not linked to it. A photo may be nearer to it than to any of the pin's places.
struct Neighbour: Equatable, Sendable {
    /// So far beyond the linked places it may lie: a photo is at most 100 metres from its place.
    static let reachMetres = 200.0
    /// How many of one network a pin notes beside the places that it links.
    static let most = 2_000

    let id: String
    let position: Coordinate
}

/// A town near a point.
struct NearTown: Equatable, Sendable {
    /// A pin is called by a town that is at most so far away.
    static let reachMetres = 50_000.0

    let name: String
    let metres: Double
}

/// A service that knows places.
protocol PlaceFinder: Sendable {
    /// At most `limit` places, those behind `page` when it is not empty.
    func places(_ question: PlaceQuestion, page: String, limit: Int) async throws(PeerError) -> PlacePage
    /// Lets a live network be asked; what it gives is among the places afterwards.
    func discover(_ question: PlaceQuestion) async throws(PeerError) -> LiveAnswer
    /// The names of the live networks that can be asked.
    func liveNetworks() async throws(PeerError) -> [String]
    /// The town nearest to a point; nil when none is known.
    func town(at position: Coordinate, account: String) async throws(PeerError) -> NearTown?
}

/// A part of what the photo service has to know of a pin's search.
struct AlbumSearch: Equatable, Sendable {
    /// How many places one part may name.
    static let mostPlaces = 1_000

    let pin: PinID
    let account: String
    let generation: Int64
    let centre: Coordinate
    let radiusMetres: Double
    let places: [PlacePoint]
    /// Whether nothing more comes and the search may begin.
    let isLast: Bool

    struct PlacePoint: Equatable, Sendable {
        let id: String
        let position: Coordinate
    }
}

/// What the photo service says of one album.
struct AlbumUpdate: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        case pin(PinID)
        case place(String)
    }

    let subject: Subject
    let standing: AlbumStanding
}

/// How far the photo service's news were read.
struct FeedPosition: Equatable, Sendable {
    var version: Int64 = 0
    /// Names the data that the version belongs to; 0 for none.
    var epoch: Int64 = 0
}

/// A part of the photo service's news.
struct AlbumUpdates: Equatable, Sendable {
    let news: [AlbumUpdate]
    /// How far it goes.
    let position: FeedPosition
}

/// A service that knows photos.
protocol AlbumSearcher: Sendable {
    func search(_ part: AlbumSearch) async throws(PeerError)
    func forget(_ pin: PinID, account: String) async throws(PeerError)
    /// Gives all news behind a position, and those that come, until the task is cancelled or the connection is lost.
    func follow(
        after position: FeedPosition, _ apply: (AlbumUpdates) async throws -> Void
    ) async throws
}

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
