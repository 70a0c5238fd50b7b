import Contracts
import EventLoops
import Geo
import RPC
import Wire

/// Asks all services at once and composes one answer. A branch that fails or is late only loses its own part.
///
/// What a branch found stays packed on their way through: see parts.proto.
struct ExploreHandler: ExploreServiceHandler {
    private let backends: Backends

    init(_ backends: Backends) { self.backends = backends }

    func explore(_ request: ExploreRequest, _ context: CallContext) async throws -> Packed<ExploreResponse> {
        let query = try ExploreQuery(request)
        let options = Self.options(context, atMost: query.budget)
        async let places = part(.places, query) { try await askPlaces(query, options) }
        async let pins = part(.pins, query) { try await askPins(query, options) }
        async let photos = part(.photos, query) { try await askPhotos(query, options) }
        async let posts = part(.posts, query) { try await askPosts(query, options) }
        let parts = await (places: places, pins: pins, photos: photos, posts: posts)
        let answer = ExploreParts(
            places: parts.places?.items ?? [], pins: parts.pins?.items ?? [], photos: parts.photos?.items ?? [],
            posts: parts.posts?.items ?? [],
            branches: [parts.places, parts.pins, parts.photos, parts.posts].compactMap { $0?.report },
            elapsed: DurationMessage(MonotonicTime.now.since(context.start)))
        return Packed(bytes: answer.packedBytes())
    }

    /// A branch's part; nil when it is not asked.
    private func part(
        _ branch: ExploreBranch, _ query: ExploreQuery, _ ask: () async throws -> Page
    ) async -> (items: [[UInt8]], report: Branch)? {
        guard query.branches.contains(branch) else { return nil }
        return await Self.branch(branch.rawValue, ask)
    }

    /// A branch's call: the client's, with less time.
    private static func options(_ context: CallContext, atMost budget: Duration) -> CallOptions {
        var options = CallOptions(context)
        options.deadline = .now + BranchDeadline.allowed(budget: budget, clientWaits: context.remaining)
        return options
    }
}

// MARK: the stream

extension ExploreHandler {
    /// How long a late branch may take at most.
    private static let longestBranch: Duration = .seconds(30)

    private enum Event: Sendable {
        case answered(ExploreBranch, items: [[UInt8]], Branch)
        case budgetIsOver
    }

    func exploreStream(
        _ request: ExploreRequest, _ responses: ResponseWriter<ExploreStreamResponse>, _ context: CallContext
    ) async throws {
        let query = try ExploreQuery(request)
        let options = Self.options(context, atMost: Self.longestBranch)
        try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            for branch in query.branches {
                group.addTask {
                    let (items, report) = await Self.branch(branch.rawValue) { try await ask(branch, query, options) }
                    return .answered(branch, items: items, report)
                }
            }
            group.addTask {
                try await Task.sleep(for: query.budget)
                return .budgetIsOver
            }
            var (waiting, held, isOver) = (query.branches, ExploreParts(), false)
            var reports: [Branch] = []
            while !waiting.isEmpty, let event = try await group.next() {
                switch event {
                case .budgetIsOver: isOver = true
                case .answered(let branch, let items, let report):
                    waiting.removeAll { $0 == branch }
                    held.add(items, of: branch)
                    held.branches.append(report)
                    reports.append(report)
                }
                guard isOver || waiting.isEmpty else { continue }
                try await responses.write(packed: Self.packed(held, waiting, context))
                held = ExploreParts()
            }
            let summary = ExploreParts(branches: reports)
            try await responses.write(packed: Self.packed(summary, [], context, isLast: true))
        }
    }

    private static func packed(
        _ parts: ExploreParts, _ waiting: [ExploreBranch], _ context: CallContext, isLast: Bool = false
    ) -> [UInt8] {
        var parts = parts
        parts.elapsed = DurationMessage(MonotonicTime.now.since(context.start))
        return ExploreStreamParts(additions: parts.packedBytes(), waiting: waiting.map(\.rawValue), done: isLast)
            .packedBytes()
    }

    private func ask(_ branch: ExploreBranch, _ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        switch branch {
        case .places: try await askPlaces(query, options)
        case .pins: try await askPins(query, options)
        case .photos: try await askPhotos(query, options)
        case .posts: try await askPosts(query, options)
        }
    }
}

extension ExploreParts {
    fileprivate mutating func add(_ items: [[UInt8]], of branch: ExploreBranch) {
        switch branch {
        case .places: places = items
        case .pins: pins = items
        case .photos: photos = items
        case .posts: posts = items
        }
    }
}

// MARK: branches

extension ExploreHandler {
    /// What a service returned: packed items, nearest first.
    private struct Page: Sendable {
        let items: [[UInt8]]
        let isTruncated: Bool
    }

    private func askPlaces(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let request = NearbyRequest(
            centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit,
            categories: query.categories, excludedCategories: query.excludedCategories)
        let parts: NearbyParts = try await backends.places.unary(PlacesServiceMethods.nearby, request, options)
        return Page(items: parts.places, isTruncated: parts.truncated)
    }

    private func askPins(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let request = PinsNearRequest(centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit)
        let parts: PinsNearParts = try await backends.pins.unary(PinServiceMethods.pinsNear, request, options)
        return Page(items: parts.pins, isTruncated: parts.truncated)
    }

    private func askPhotos(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let request = PhotosNearRequest(centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit)
        let parts: PhotosNearParts = try await backends.photos.unary(PhotoServiceMethods.photosNear, request, options)
        return Page(items: parts.photos, isTruncated: parts.truncated)
    }

    private func askPosts(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let request = PostsNearRequest(centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit)
        let parts: PostsNearParts = try await backends.pins.unary(PostServiceMethods.postsNear, request, options)
        return Page(items: parts.posts, isTruncated: parts.truncated)
    }

    /// The text of a failure for a client: the service by its name, not by its internal address.
    private static func sentence(_ error: RPCError, of name: String) -> String {
        switch error.code {
        case .deadlineExceeded: "\(name) did not answer in time"
        case .unavailable: "\(name) can't be reached for now"
        default: error.message
        }
    }

    /// Runs one branch; its failure becomes its report.
    private static func branch(
        _ name: String, _ ask: () async throws -> Page
    ) async -> (items: [[UInt8]], report: Branch) {
        let start = MonotonicTime.now
        do {
            let page = try await ask()
            let report = Branch(
                name: name, count: UInt32(clamping: page.items.count),
                elapsed: DurationMessage(MonotonicTime.now.since(start)), truncated: page.isTruncated)
            return (page.items, report)
        } catch {
            let failure = RPCError(anyError: error)
            let report = Branch(
                name: name, code: failure.code.rawValue, message: sentence(failure, of: name),
                elapsed: DurationMessage(MonotonicTime.now.since(start)))
            return ([], report)
        }
    }
}

extension ExploreQuery {
    fileprivate var centreMessage: Contracts.Coordinate {
        Contracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude)
    }
}
