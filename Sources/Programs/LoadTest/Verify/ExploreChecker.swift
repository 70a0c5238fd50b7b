import GatewayContracts
import EventLoops
import RPC
import Wire

/// Compares answers of `Explore` with what the services answer when they are asked one by one, after the load. Nothing
/// may have changed in between.
package struct ExploreChecker: Sendable {
    let transport: any Transport

    /// How long it may take in all; what is left then stays unchecked.
    private static let longest: Duration = .seconds(30)

    package init(_ transport: any Transport) { self.transport = transport }

    package func check(_ samples: [AnswerSamples.Sample], of workload: Workload) async throws -> AnswerCheck {
        var check = AnswerCheck(against: "what the services answer one by one")
        let end = MonotonicTime.now + Self.longest
        for sample in samples where MonotonicTime.now < end {
            let request = try ExploreRequest(packed: workload.requests[sample.request])
            let answer = try ExploreParts(packed: sample.answer)
            check.checked += 1
            if let difference = try await difference(request, answer) { check.wrong.append(difference) }
        }
        return check
    }

    /// What is wrong with an answer; nil when nothing is. Of a branch that has not answered nothing is known.
    private func difference(_ request: ExploreRequest, _ answer: ExploreParts) async throws -> String? {
        for branch in answer.branches where branch.code == RPCCode.ok.rawValue {
            let right = try await page(branch.name, request)
            guard let fault = Self.fault(branch, Page(branch, of: answer), right) else { continue }
            let centre = request.centre ?? Coordinate()
            return "around \(centre.latitude), \(centre.longitude): \(branch.name): \(fault)"
        }
        return nil
    }

    /// Things as they are packed, nearest first.
    private struct Page {
        let things: [[UInt8]]
        let isTruncated: Bool

        init(_ things: [[UInt8]], isTruncated: Bool) {
            self.things = things
            self.isTruncated = isTruncated
        }

        init(_ branch: Branch, of answer: ExploreParts) {
            let things =
                switch branch.name {
                case "places": answer.places
                case "pins": answer.pins
                case "photos": answer.photos
                default: answer.posts
                }
            self.init(things, isTruncated: branch.truncated)
        }
    }

    private func page(_ name: String, _ request: ExploreRequest) async throws -> Page {
        let (centre, radius, limit) = (request.centre, request.radiusM, request.limit)
        switch name {
        case "places":
            let parts: NearbyParts = try await transport.ask(
                PlacesServiceMethods.nearby,
                NearbyRequest(
                    centre: centre, radiusM: radius, limit: limit, categories: request.categories,
                    excludedCategories: request.excludedCategories))
            return Page(parts.places, isTruncated: parts.truncated)
        case "pins":
            let parts: PinsNearParts = try await transport.ask(
                PinServiceMethods.pinsNear, PinsNearRequest(centre: centre, radiusM: radius, limit: limit))
            return Page(parts.pins, isTruncated: parts.truncated)
        case "photos":
            let parts: PhotosNearParts = try await transport.ask(
                PhotoServiceMethods.photosNear, PhotosNearRequest(centre: centre, radiusM: radius, limit: limit))
            return Page(parts.photos, isTruncated: parts.truncated)
        default:
            let parts: PostsNearParts = try await transport.ask(
                PostServiceMethods.postsNear, PostsNearRequest(centre: centre, radiusM: radius, limit: limit))
            return Page(parts.posts, isTruncated: parts.truncated)
        }
    }

    private static func fault(_ branch: Branch, _ given: Page, _ right: Page) -> String? {
        guard given.things.count == right.things.count else {
            return "\(given.things.count) instead of \(right.things.count)"
        }
        guard branch.count == right.things.count else {
            return "it reports \(branch.count) and has \(right.things.count)"
        }
        if let index = given.things.indices.first(where: { given.things[$0] != right.things[$0] }) {
            return "number \(index + 1) is another one, or other things are said of it"
        }
        guard given.isTruncated != right.isTruncated else { return nil }
        return "it says that there are \(given.isTruncated ? "" : "no ")more"
    }
}
