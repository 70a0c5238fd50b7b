import Contracts
import EventLoops
import RPC
import Refusals
import Requests
import Wire

// What a map shows: clusters of all services, asked at once as for Explore.

extension ExploreHandler {
    func viewport(_ request: ViewportRequest, _ context: CallContext) async throws -> Packed<ViewportResponse> {
        let query = try ViewportQuery(request)
        let options = Self.options(context, atMost: query.budget)
        async let places = clusters(.places, query, options)
        async let pins = clusters(.pins, query, options)
        async let photos = clusters(.photos, query, options)
        let parts = await (places: places, pins: pins, photos: photos)
        var answer = ViewportParts(
            places: parts.places?.clusters ?? [], pins: parts.pins?.clusters ?? [],
            photos: parts.photos?.clusters ?? [],
            branches: [parts.places, parts.pins, parts.photos].compactMap { $0?.report })
        answer.elapsed = DurationMessage(MonotonicTime.now.since(context.start))
        return Packed(bytes: answer.packedBytes())
    }

    /// What a service has in the box; nil when it is not asked.
    private func clusters(_ branch: ExploreBranch, _ query: ViewportQuery, _ options: CallOptions) async
        -> ViewportPart?
    {
        guard query.branches.contains(branch) else { return nil }
        let start = MonotonicTime.now
        do {
            let found: ClustersParts = try await client(of: branch).unary(
                ClusterServiceMethods.findClusters, query.request, options)
            let elapsed = DurationMessage(MonotonicTime.now.since(start))
            return ViewportPart(
                clusters: found.clusters,
                report: Branch(name: branch.name, count: UInt32(clamping: found.count), elapsed: elapsed))
        } catch {
            return ViewportPart(report: Branch(RPCError(anyError: error), of: branch, from: start, to: .now))
        }
    }

    private func client(of branch: ExploreBranch) -> RPCClient {
        switch branch {
        case .places, .network: backends.places
        case .pins, .posts: backends.pins
        case .photos: backends.photos
        }
    }
}

/// What a service has in the box, and how it went.
private struct ViewportPart: Sendable {
    var clusters: [[UInt8]] = []
    let report: Branch
}

/// The parameters of a viewport, once they are valid.
struct ViewportQuery: Sendable {
    private static let kinds: [ExploreBranch] = [.places, .pins, .photos]

    /// What every service is asked.
    let request: FindClustersRequest
    let budget: Duration
    let branches: [ExploreBranch]

    /// Refuses a value out of range, with the field, the value and what is allowed.
    init(_ request: ViewportRequest) throws(Refusal) {
        _ = try ClusterQuery(box: request.box, zoom: request.zoom, max: request.max)
        budget = request.budget?.duration ?? ViewportRequest.budgetDefault
        branches = ExploreBranch.asked(request.branches, of: Self.kinds)
        self.request = FindClustersRequest(
            box: request.box, zoom: request.zoom, max: request.max, categories: request.categories,
            excludedCategories: request.excludedCategories)
    }
}
