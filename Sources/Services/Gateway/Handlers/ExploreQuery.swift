import Contracts
import Geo
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
    let budget: Duration
    /// Those that are asked, in the order of their reports.
    let branches: [ExploreBranch]
    /// Live networks that are asked too.
    let live: [ExploreBranch]
    /// All of them, in the order of their reports.
    var asked: [ExploreBranch] {
        live.isEmpty ? branches : ExploreBranch.allCases.filter { branches.contains($0) || live.contains($0) }
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
        case .places, .openstreetmap, .foursquare, .instagram:
            let most = UInt32(NearbyRequest.limitRange.upperBound)
            return NearbyRequest(
                centre: centreMessage, radiusM: radiusMetres, limit: min(most, limit + Self.placesBeyond),
                pageToken: page, categories: categories, excludedCategories: excludedCategories, explain: explains
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
enum ExploreBranch: String, CaseIterable, Sendable {
    case places, openstreetmap, foursquare, instagram, pins, photos, posts

    /// What is stored.
    static let stored: [ExploreBranch] = [.places, .pins, .photos, .posts]
    /// Networks that are asked when the call comes.
    static let live: [ExploreBranch] = [.openstreetmap, .foursquare, .instagram]
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
    /// Refuses a value out of range, with the field, the value and what is allowed.
    init(_ request: ExploreRequest) throws(Refusal) {
        let near = try NearQuery(centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        centre = near.centre
        radiusMetres = near.radiusMetres
        limit = UInt32(clamping: near.limit)
        budget = try BranchDeadline.budget(request.budget)
        // Not only by the branch of the places: its refusal would be a part of a good answer.
        _ = try CategoryPath.checked(request.categories, field: "categories")
        _ = try CategoryPath.checked(request.excludedCategories, field: "excluded_categories")
        branches = try ExploreBranch.asked(request.branches)
        live =
            request.liveNetworks.isEmpty
            ? [] : try ExploreBranch.asked(request.liveNetworks, "live_networks", of: ExploreBranch.live)
        let widest = DiscoverRequest.radiusMRange.upperBound
        if !live.isEmpty, radiusMetres > widest {
            throw Refusal("radius_m", radiusMetres, allowed: "at most \(Int(widest)) metres with live_networks are")
        }
        categories = request.categories
        excludedCategories = request.excludedCategories
        explains = request.explain
    }
}

extension ExploreBranch {
    /// Those that a request names; without a name all of `known`.
    static func asked(
        _ names: [String], _ field: String = "branches", of known: [ExploreBranch] = stored
    ) throws(Refusal) -> [ExploreBranch] {
        let most =
            field == "branches"
            ? ExploreRequest.branchesLength.upperBound : ExploreRequest.liveNetworksLength.upperBound
        guard names.count <= most else {
            throw Refusal(field, names.count, "names", allowed: "at most \(most) are")
        }
        var asked: Set<ExploreBranch> = []
        for (index, name) in names.enumerated() {
            guard let branch = ExploreBranch(rawValue: name), known.contains(branch) else {
                let list = known.map(\.rawValue).joined(separator: ", ")
                throw Refusal("\(field)[\(index)]", text: name, allowed: "\(list) are")
            }
            asked.insert(branch)
        }
        return known.filter { asked.isEmpty || asked.contains($0) }
    }
}

extension BranchDeadline {
    /// That of a request's field `budget`.
    static func budget(_ message: DurationMessage?) throws(Refusal) -> Duration {
        guard let message else { return ExploreRequest.budgetDefault }
        guard let budget = message.duration, ExploreRequest.budgetRange.contains(budget) else {
            throw Refusal("budget", "\(message.seconds) s and \(message.nanos) ns", allowed: "1 ms to 10 s are")
        }
        return budget
    }
}
