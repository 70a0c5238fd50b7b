import Contracts
import EventLoops
import Geo
import RPC
import Wire

/// Asks all services at once and composes one answer. A branch that fails or is late costs its part only.
struct ExploreHandler: ExploreService {
    private let places: PlacesServiceClient
    private let pins: PinServiceClient
    private let photos: PhotoServiceClient

    init(_ backends: Backends) {
        places = PlacesServiceClient(backends.places)
        pins = PinServiceClient(backends.pins)
        photos = PhotoServiceClient(backends.photos)
    }

    func explore(_ request: ExploreRequest, _ context: CallContext) async throws -> ExploreResponse {
        let query = try ExploreQuery(request)
        let options = Self.options(query, context)
        async let places = branch("places") { try await placesAround(query, options) }
        async let pins = branch("pins") { try await pinsAround(query, options) }
        async let photos = branch("photos") { try await photosAround(query, options) }
        let answers = await (places: places, pins: pins, photos: photos)
        return ExploreResponse(
            places: answers.places.items, pins: answers.pins.items, photos: answers.photos.items,
            branches: [answers.places.report, answers.pins.report, answers.photos.report],
            elapsed: DurationMessage(MonotonicTime.now.since(context.start)))
    }

    /// A branch's call: the client's, with less time.
    private static func options(_ query: ExploreQuery, _ context: CallContext) -> CallOptions {
        var options = CallOptions(context)
        options.deadline = .now + BranchDeadline.allowed(budget: query.budget, clientWaits: context.remaining)
        return options
    }

    private func placesAround(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page<Place> {
        let answer = try await places.nearby(
            NearbyRequest(
                centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit,
                categories: query.categories, excludedCategories: query.excludedCategories), options)
        return Page(items: answer.places, isTruncated: answer.truncated)
    }

    private func pinsAround(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page<Pin> {
        let answer = try await pins.pinsNear(
            PinsNearRequest(centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit), options)
        return Page(items: answer.pins, isTruncated: answer.truncated)
    }

    private func photosAround(_ query: ExploreQuery, _ options: CallOptions) async throws -> Page<Photo> {
        let answer = try await photos.photosNear(
            PhotosNearRequest(centre: query.centreMessage, radiusM: query.radiusMetres, limit: query.limit), options)
        return Page(items: answer.photos, isTruncated: answer.truncated)
    }
}

/// What a service gave.
private struct Page<Item: Sendable>: Sendable {
    let items: [Item]
    let isTruncated: Bool
}

extension ExploreHandler {
    /// Runs one branch; its failure becomes its report.
    private func branch<Item: Sendable>(
        _ name: String, _ ask: () async throws -> Page<Item>
    ) async -> (items: [Item], report: Branch) {
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
                name: name, code: failure.code.rawValue, message: failure.message,
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
