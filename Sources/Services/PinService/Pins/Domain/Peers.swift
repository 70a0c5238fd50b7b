import Geo

/// Why another service failed or refused.
enum PeerError: Error, Equatable, CustomStringConvertible {
    /// It could not be asked; a later attempt may succeed.
    case unreachable(String)
    /// It had no time, or too much to do; a later attempt may succeed.
    case late(String)
    /// It refused for good.
    case refused(String)

    var description: String {
        switch self {
        case .unreachable(let reason), .late(let reason), .refused(let reason): reason
        }
    }

    /// In words for people who know the service by this name.
    func words(of service: String) -> String {
        switch self {
        case .unreachable: "the \(service) can't be reached now"
        case .late: "the \(service) takes too long to answer"
        case .refused(let reason): reason
        }
    }

    /// Whether an error means that a peer could not be asked at all, and nothing else of it can be asked now.
    static func isAway(_ error: any Error) -> Bool {
        guard case .unreachable = error as? PeerError else { return false }
        return true
    }
}

/// A query for the places of a network around a pin.
struct PlaceQuestion: Equatable, Sendable {
    let network: String
    let centre: Coordinate
    let radiusMetres: Double
    /// The account on whose behalf it is made.
    let account: String
    /// How many of the nearest suffice.
    var nearest: Int?
}

/// A part of the answer.
struct PlacePage: Equatable, Sendable {
    /// Nearest first.
    let places: [NetworkPlace]
    /// The token of the next part; empty when this is the last.
    let next: String
}

/// The result of asking a live network.
struct LiveAnswer: Equatable, Sendable {
    /// Why it returned nothing, or not everything; nil when it returned what it has.
    var fault: NetworkFault?
    /// Why it was not asked: it is switched off.
    var off: String?
    /// A warning for the user although it succeeded.
    var warning: String?
    /// How many of its places are known around the pin.
    var placeCount: Int64 = 0
}

/// A place around a pin that is not linked to it. A photo may be nearer to it than to any of the pin's places.
struct Neighbour: Equatable, Sendable {
    /// How far beyond the linked places it may be, in metres: a photo is at most 100 metres from its place.
    static let reachMetres = 200.0
    /// How many places of one network a pin records besides those that it links.
    static let maximum = 2_000

    let id: String
    let position: Coordinate
    /// Whether it is nothing that one would photograph.
    let isMinor: Bool
}

/// What a text may mean.
struct FoundPoint: Equatable, Sendable {
    let name: String
    /// Where it is, for people.
    let context: String
    let position: Coordinate
    /// Whether it is a house.
    let isAddress: Bool
    /// Whether it is a place, as a café or a mountain is.
    let isPlace: Bool
}

/// What texts mean.
protocol TextFinder: Sendable {
    /// What a text means best, near a point if one is given; nil when it means nothing.
    func find(_ text: String, near: Coordinate?, account: String) async throws(PeerError) -> FoundPoint?
}

/// The places service, as the pin service uses it.
protocol PlaceFinder: TextFinder {
    /// At most `limit` places, after those of the token `page` when it is not empty.
    func places(_ question: PlaceQuestion, page: String, limit: Int) async throws(PeerError) -> PlacePage
    /// Has a live network asked; its places are found by `places` afterwards.
    func discover(_ question: PlaceQuestion) async throws(PeerError) -> LiveAnswer
    /// The names of the networks that can be asked, switched on or not.
    func configuredNetworks(for account: String) async throws(PeerError) -> [String]
    /// The names of the live networks that are asked.
    func liveNetworks() async throws(PeerError) -> [String]
    /// Delivers these names at once and at each change, until the task is cancelled or the connection is lost.
    func followNetworks(_ take: ([String]) async throws -> Void) async throws
    /// What points are called by: another text whenever datasets with areas were imported or deleted.
    func areasEdition() async throws(PeerError) -> String
    /// What a point is called; nil when that is not known.
    func name(of position: Coordinate, account: String) async throws(PeerError) -> String?
    /// Keeps what live networks found around a pin until it is released.
    func hold(_ pin: Pin) async throws(PeerError)
    /// There is no such pin any more.
    func release(_ pin: PinID) async throws(PeerError)
    /// Deletes what live networks have found for an account that was deleted.
    func forgetFindings(of account: String) async throws(PeerError)
}

/// A part of what the photo service needs for a pin's search.
struct AlbumSearch: Equatable, Sendable {
    /// How many places one part may name.
    static let maximumPlaces = 1_000

    let pin: PinID
    let account: String
    let generation: Int64
    let centre: Coordinate
    let radiusMetres: Double
    let places: [PlacePoint]
    /// Whether this is the last part, and the search may begin.
    let isLast: Bool
    /// Whether a network is still being asked, so that another search of this generation follows.
    let morePlacesFollow: Bool
    /// Whose networks are asked.
    let settings: AccountSettings
    /// The only ones of them that are asked for this pin.
    let limit: NetworkChoice

    struct PlacePoint: Equatable, Sendable {
        let id: String
        let position: Coordinate
        /// What its entry says about pictures of it; nil of a place that is not linked.
        let pictureTags: [String]?
        /// What it is, as it is stored with the link; nil of a place that is not linked.
        let categories: String?
        /// Whether it is nothing that one would photograph; nil when that is not known.
        let isMinor: Bool?
    }
}

/// The photo service's state of one album.
struct AlbumUpdate: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        case pin(PinID)
        case place(String)
    }

    let subject: Subject
    let album: PinAlbum
    /// For a place: how many photos those accounts see that see more than all do.
    var photoCounts: [String: Int64] = [:]
}

/// The position up to which the photo service's updates were read.
struct FeedPosition: Equatable, Sendable {
    var version: Int64 = 0
    /// Identifies the data that the version belongs to; 0 for none.
    var epoch: Int64 = 0
}

/// A batch of the photo service's updates.
struct AlbumUpdates: Equatable, Sendable {
    let updates: [AlbumUpdate]
    /// The position after it.
    let position: FeedPosition
}

/// The photo service, as the pin service uses it.
protocol AlbumSearcher: Sendable {
    func search(_ part: AlbumSearch) async throws(PeerError)
    func forget(_ pin: PinID, account: String) async throws(PeerError)
    /// Has all removed that an account has there.
    func forgetAccount(_ account: String) async throws(PeerError)
    /// The names of the networks that can be asked, switched on or not.
    func configuredNetworks(for account: String) async throws(PeerError) -> [String]
    /// Says which networks the searches of an account ask from now on.
    func choose(_ settings: AccountSettings, account: String) async throws(PeerError)
    /// Delivers all updates after a position, and those that follow, until the task is cancelled or the connection is
    /// lost.
    func follow(
        after position: FeedPosition, _ apply: (AlbumUpdates) async throws -> Void
    ) async throws
}

/// The last known state of a pin's album at the photo service.
struct PinAlbum: Equatable, Sendable {
    /// The state of an album. The numbers are stored in the database: one that was used never changes its meaning.
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
    /// Why photos may be missing; empty when all is well.
    var warning = ""
}
