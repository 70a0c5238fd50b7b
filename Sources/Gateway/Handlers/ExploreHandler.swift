import Contracts
import EventLoops
import Geo
import RPC
import Wire

/// Asks all services at once and composes one answer. A branch that fails or is late only loses its own part.
///
/// What a branch found stays packed on their way through: see parts.proto. Places that are the same are one of them.
struct ExploreHandler: ExploreServiceHandler {
    let backends: Backends

    init(_ backends: Backends) { self.backends = backends }

    func explore(_ request: ExploreRequest, _ context: CallContext) async throws -> Packed<ExploreResponse> {
        let query = try ExploreQuery(request)
        let options = Self.options(context, atMost: query.budget)
        var plan = query.explains ? ExplorePlan(since: context.start) : nil
        async let places = part(.places, query, options)
        async let pins = part(.pins, query, options)
        async let photos = part(.photos, query, options)
        async let posts = part(.posts, query, options)
        let live = query.live.isEmpty ? [] : await live(query, options)
        let parts = await (places: places, pins: pins, photos: photos, posts: posts)
        let all = [parts.places] + live + [parts.pins, parts.photos, parts.posts]
        var answer = ExploreParts(
            places: live.isEmpty
                ? parts.places?.items ?? []
                : PackedPlaces.together(
                    ([parts.places] + live).compactMap { $0?.given }, limit: Int(query.limit)),
            pins: parts.pins?.items ?? [], photos: parts.photos?.items ?? [], posts: parts.posts?.items ?? [],
            branches: all.compactMap { $0?.report })
        guard query.explains else {
            answer.elapsed = DurationMessage(MonotonicTime.now.since(context.start))
            return Packed(bytes: answer.packedBytes())
        }
        for part in all { if let part { plan?.add(part) } }
        plan?.did("merge")
        let bytes = answer.packedBytes()
        plan?.did("encode")
        return Packed(bytes: bytes + (plan?.tail.packedBytes() ?? []))
    }

    /// A branch's part; nil when it is not asked.
    private func part(_ branch: ExploreBranch, _ query: ExploreQuery, _ options: CallOptions) async -> BranchPart? {
        query.branches.contains(branch) ? await run(branch, query, options) : nil
    }

    /// A branch's call: the client's, with less time.
    static func options(_ context: CallContext, atMost budget: Duration) -> CallOptions {
        var options = CallOptions(context)
        options.isHedged = true
        options.deadline = .now + BranchDeadline.allowed(budget: budget, clientWaits: context.remaining)
        return options
    }
}

// MARK: the stream

extension ExploreHandler {
    /// How long a late branch may take at most.
    private static let longestBranch: Duration = .seconds(30)

    private enum Event: Sendable {
        case answered(ExploreBranch, BranchPart)
        case budgetIsOver
    }

    func exploreStream(
        _ request: ExploreRequest, _ responses: ResponseWriter<ExploreStreamResponse>, _ context: CallContext
    ) async throws {
        let query = try ExploreQuery(request)
        let options = Self.options(context, atMost: Self.longestBranch)
        var plan = query.explains ? ExplorePlan(since: context.start) : nil
        try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            for branch in query.branches + query.live {
                group.addTask {
                    .answered(branch, await run(branch, query, options))
                }
            }
            group.addTask {
                try await Task.sleep(for: query.budget)
                return .budgetIsOver
            }
            var (waiting, held, isOver) = (query.branches + query.live, ExploreParts(), false)
            var places = SentPlaces(limit: Int(query.limit))
            var reports: [Branch] = []
            while !waiting.isEmpty, let event = try await group.next() {
                switch event {
                case .budgetIsOver: isOver = true
                case .answered(let branch, let part):
                    waiting.removeAll { $0 == branch }
                    if query.live.isEmpty || !part.isOfPlaces(branch) {
                        held.add(part.items, of: branch)
                    } else {
                        places.add(part.given)
                    }
                    held.branches.append(part.report)
                    reports.append(part.report)
                    plan?.add(part)
                }
                guard isOver || waiting.isEmpty else { continue }
                let begin = query.explains ? MonotonicTime.now : nil
                if !query.live.isEmpty { held.places = places.next() }
                try await responses.write(packed: Self.packed(held, waiting, context))
                plan?.did("answer", since: waiting.isEmpty ? nil : begin)
                held = ExploreParts()
            }
            var summary = ExploreParts(branches: reports)
            summary.plan = plan?.tail.plan
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
        case .openstreetmap, .foursquare, .instagram: try await askLive(branch.rawValue, query, options)
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
        case .openstreetmap, .foursquare, .instagram: places += items
        }
    }
}

// MARK: branches

extension ExploreHandler {
    /// How often places are asked for until there are enough things.
    private static let mostPlacePages = 4
    /// Places that are asked for beyond the limit: those that are the same as its last ones are a little farther.
    private static let placesBeyond: UInt32 = 8

    /// What a service returned: packed items, nearest first.
    struct Page: Sendable {
        let items: [[UInt8]]
        /// Of places: before what is the same was put together.
        var given: [[UInt8]] = []
        let isTruncated: Bool
        var explanation: SearchExplanation?
    }

    /// What several sources have is one thing: where there are several, asks again until there are enough things.
    private func askPlaces(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let most = UInt32(NearbyRequest.limitRange.upperBound)
        var request = NearbyRequest(
            centre: query.centreMessage, radiusM: query.radiusMetres, limit: min(most, query.limit + Self.placesBeyond),
            categories: query.categories, excludedCategories: query.excludedCategories, explain: query.explains)
        var (found, merged, explanation): ([[UInt8]], [[UInt8]], SearchExplanation?) = ([], [], nil)
        for _ in 0..<Self.mostPlacePages {
            let parts: NearbyParts = try await backends.places.unary(PlacesServiceMethods.nearby, request, options)
            found += parts.places
            explanation = explanation ?? parts.explanation
            merged = PackedPlaces.merged(found)
            request.pageToken = parts.nextPageToken
            if merged.count > query.limit || parts.nextPageToken.isEmpty {
                return Page(
                    items: Array(merged.prefix(Int(query.limit))), given: found,
                    isTruncated: parts.truncated || merged.count > query.limit, explanation: explanation)
            }
        }
        return Page(
            items: Array(merged.prefix(Int(query.limit))), given: found, isTruncated: true, explanation: explanation)
    }

    private func askPins(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let request = PinsNearRequest(
            centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit, explain: query.explains)
        let parts: PinsNearParts = try await backends.pins.unary(PinServiceMethods.pinsNear, request, options)
        return Page(items: parts.pins, isTruncated: parts.truncated, explanation: parts.explanation)
    }

    private func askPhotos(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let request = PhotosNearRequest(
            centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit, explain: query.explains)
        let parts: PhotosNearParts = try await backends.photos.unary(PhotoServiceMethods.photosNear, request, options)
        return Page(items: parts.photos, isTruncated: parts.truncated, explanation: parts.explanation)
    }

    private func askPosts(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page {
        let request = PostsNearRequest(
            centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit, explain: query.explains)
        let parts: PostsNearParts = try await backends.pins.unary(PostServiceMethods.postsNear, request, options)
        return Page(items: parts.posts, isTruncated: parts.truncated, explanation: parts.explanation)
    }

    /// The text of a failure for a client: the service by its name, not by its internal address.
    static func sentence(_ error: RPCError, of name: String) -> String {
        switch error.code {
        case .deadlineExceeded: "\(name) did not answer in time"
        case .unavailable: "\(name) can't be reached for now"
        default: error.message
        }
    }

    /// Runs one branch; its failure becomes its report.
    func run(_ branch: ExploreBranch, _ query: ExploreQuery, _ options: CallOptions) async -> BranchPart {
        var options = options
        if query.explains { options.note = CallNote() }
        let (name, start) = (branch.rawValue, MonotonicTime.now)
        do {
            let page = try await ask(branch, query, options)
            let end = MonotonicTime.now
            let report = Branch(
                name: name, count: UInt32(clamping: page.items.count), elapsed: DurationMessage(end.since(start)),
                truncated: page.isTruncated)
            return BranchPart(
                items: page.items, given: page.given, report: report, end: end, note: options.note,
                explanation: page.explanation)
        } catch {
            let (failure, end) = (RPCError(anyError: error), MonotonicTime.now)
            let report = Branch(
                name: name, code: failure.code.rawValue, message: Self.sentence(failure, of: name),
                elapsed: DurationMessage(end.since(start)))
            return BranchPart(report: report, end: end, note: options.note)
        }
    }
}

extension ExploreQuery {
    var centreMessage: Contracts.Coordinate {
        Contracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude)
    }
}
