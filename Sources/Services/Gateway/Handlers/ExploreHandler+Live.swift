import Contracts
import RPC
import Wire

// Live networks as branches of an exploration.

extension ExploreHandler {
    /// Has a network asked about the circle, and gives what it has there then. It goes on being asked when the time is
    /// over.
    func askLive(_ network: String, _ query: ExploreQuery, _ options: CallOptions) async throws -> BranchPage {
        var asking = options
        // Replicas share one queue for each network: a second one would wait for the first.
        asking.isHedged = false
        let radius = max(query.radiusMetres, DiscoverRequest.radiusMRange.lowerBound)
        let discovered: DiscoverResponse = try await backends.places.unary(
            PlacesServiceMethods.discover,
            DiscoverRequest(
                centre: query.centreMessage, radiusM: radius, networks: [network],
                nearest: query.isOfAllCategories ? query.limit : nil), asking)
        if let failure = discovered.results.first?.failure { throw failure }
        let near = NearbyRequest(
            centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit, networks: [network],
            categories: query.categories, excludedCategories: query.excludedCategories, explain: query.explains,
            openAt: query.openAt, area: query.area)
        let answer = try await backends.places.unaryBytes(PlacesServiceMethods.nearby, near.packedBytes(), options)
        var page = try BranchPage(answer, of: .places)
        page.given = page.rows.rows
        return page
    }
}

extension ExploreQuery {
    /// Else more than the nearest have to be known.
    fileprivate var isOfAllCategories: Bool { categories.isEmpty && excludedCategories.isEmpty }
}

extension NetworkResult {
    /// Why it could not be asked; nil when it was.
    fileprivate var failure: RPCError? {
        switch status {
        case .ok, .empty, .truncated: nil
        case .timeout: RPCError(.deadlineExceeded, message)
        case .quota: RPCError(.resourceExhausted, message)
        case .auth, .disabled: RPCError(.failedPrecondition, message)
        default: RPCError(.unavailable, message)
        }
    }
}
