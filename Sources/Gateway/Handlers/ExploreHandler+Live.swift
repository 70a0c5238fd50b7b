import Contracts
import RPC

// Live networks as branches of an exploration.

extension ExploreHandler {
    /// Asks all live networks that are wanted at once.
    func live(_ query: ExploreQuery, _ options: CallOptions) async -> [BranchPart?] {
        await withTaskGroup(of: (Int, BranchPart).self) { group in
            for (index, branch) in query.live.enumerated() {
                group.addTask { (index, await run(branch, query, options)) }
            }
            var parts = [BranchPart?](repeating: nil, count: query.live.count)
            for await (index, part) in group { parts[index] = part }
            return parts
        }
    }

    /// Has a network asked about the circle, and gives what it has there then. It goes on being asked when the time is
    /// over.
    func askLive(_ network: String, _ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        var asking = options
        // Replicas share one queue for each network: a second one would wait for the first.
        asking.isHedged = false
        let radius = max(query.radiusMetres, DiscoverRequest.radiusMRange.lowerBound)
        let answer: DiscoverResponse = try await backends.places.unary(
            PlacesServiceMethods.discover,
            DiscoverRequest(centre: query.centreMessage, radiusM: radius, networks: [network]), asking)
        if let failure = answer.results.first?.failure { throw failure }
        let near = NearbyRequest(
            centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit, networks: [network],
            categories: query.categories, excludedCategories: query.excludedCategories, explain: query.explains)
        let parts: NearbyParts = try await backends.places.unary(PlacesServiceMethods.nearby, near, options)
        return Page(
            items: parts.places, given: parts.places, isTruncated: parts.truncated, explanation: parts.explanation)
    }
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

extension BranchPart {
    /// Whether a branch has places.
    func isOfPlaces(_ branch: ExploreBranch) -> Bool {
        branch == .places || ExploreBranch.live.contains(branch)
    }
}
