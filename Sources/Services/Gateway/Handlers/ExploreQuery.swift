import Contracts
import Geo
import Networks
import Refusals
import Requests
import Wire

/// The parameters of an exploration, once they are valid.
struct ExploreQuery: Sendable {
    let centre: Geo.Coordinate
    let radiusMetres: Double
    let limit: UInt32
    let categories: [String]
    let excludedCategories: [String]
    /// What hours of places have to say; nil: anything.
    let openAt: OpenAt?
    /// The id of the area that places have to be in; empty: anywhere.
    let area: String
    let budget: Duration
    /// Those that are asked, in the order of their reports.
    let branches: [ExploreBranch]
    /// Live networks that are asked too.
    let live: [ExploreBranch]
    /// All of them, in the order of their reports.
    var asked: [ExploreBranch] {
        live.isEmpty ? branches : ExploreBranch.all.filter { branches.contains($0) || live.contains($0) }
    }
    /// Whether the answer carries its plan.
    let explains: Bool
}

extension ExploreQuery {
    /// Places that are asked for beyond the limit: those that are the same as its last ones are a little farther.
    private static let placesBeyond: UInt32 = 8

    /// The packed request of a stored branch.
    /// - Parameter page: of places: where to go on.
    func request(of branch: ExploreBranch, page: String = "") -> [UInt8] {
        switch branch {
        case .places, .network:
            let most = UInt32(NearbyRequest.limitRange.upperBound)
            return NearbyRequest(
                centre: centreMessage, radiusM: radiusMetres, limit: min(most, limit + Self.placesBeyond),
                pageToken: page, categories: categories, excludedCategories: excludedCategories, explain: explains,
                openAt: openAt, area: area
            ).packedBytes()
        case .pins:
            return PinsNearRequest(centre: centreMessage, radiusM: radiusMetres, limit: limit, explain: explains)
                .packedBytes()
        case .photos:
            return PhotosNearRequest(centre: centreMessage, radiusM: radiusMetres, limit: limit, explain: explains)
                .packedBytes()
        case .posts:
            return PostsNearRequest(centre: centreMessage, radiusM: radiusMetres, limit: limit, explain: explains)
                .packedBytes()
        }
    }

    var centreMessage: Contracts.Coordinate {
        Contracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude)
    }
}

/// A part of an exploration.
enum ExploreBranch: Hashable, Sendable {
    case places, pins, photos, posts
    /// A network of places that is asked when the call comes.
    case network(Network)

    /// What is stored.
    static let stored: [ExploreBranch] = [.places, .pins, .photos, .posts]
    static let live = Network.livePlaces.map(ExploreBranch.network)
    /// In the order of their reports.
    static let all: [ExploreBranch] = [.places] + live + [.pins, .photos, .posts]

    var name: String {
        switch self {
        case .places: "places"
        case .pins: "pins"
        case .photos: "photos"
        case .posts: "posts"
        case .network(let network): network.name
        }
    }

    /// Whether it gives places.
    var isOfPlaces: Bool { self == .places || Self.live.contains(self) }
}

/// How long a branch may take.
enum BranchDeadline {
    /// The part of the client's deadline that is kept for composing and sending the answer.
    static let reserve: Duration = .milliseconds(10)

    /// The branch's time: its budget, but no more than nine tenths of the time that the client still waits, or that
    /// time less the reserve when this is the smaller cut.
    static func allowed(budget: Duration, clientWaits remaining: Duration?) -> Duration {
        guard let remaining else { return budget }
        let kept = min(reserve, remaining / 10)
        return min(budget, max(.zero, remaining - kept))
    }
}

extension ExploreQuery {
    /// What no option of the .proto says is checked here.
    init(_ request: ExploreRequest) throws(Refusal) {
        let near = try NearQuery(centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        centre = near.centre
        radiusMetres = near.radiusMetres
        limit = UInt32(clamping: near.limit)
        budget = request.budget?.duration ?? ExploreRequest.budgetDefault
        branches = ExploreBranch.asked(request.branches, of: ExploreBranch.stored)
        live = request.liveNetworks.isEmpty ? [] : ExploreBranch.asked(request.liveNetworks, of: ExploreBranch.live)
        let widest = DiscoverRequest.radiusMRange.upperBound
        if !live.isEmpty, radiusMetres > widest {
            throw Refusal("radius_m", radiusMetres, allowed: "at most \(Int(widest)) metres with live_networks are")
        }
        categories = request.categories
        excludedCategories = request.excludedCategories
        openAt = request.openAt
        area = request.area
        explains = request.explain
    }
}

extension ExploreBranch {
    /// Those that a request names; without a name all of `known`.
    static func asked(_ names: [String], of known: [ExploreBranch]) -> [ExploreBranch] {
        let asked = Set(names)
        return known.filter { asked.isEmpty || asked.contains($0.name) }
    }
}
