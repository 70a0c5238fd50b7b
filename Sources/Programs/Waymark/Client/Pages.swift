import Contracts
import Wire

/// A request for one page of a list.
protocol PageRequest: WireMessage {
    var pageToken: String { get set }

    /// The request for the page that a token stands for.
    func next(_ token: String) -> Self
}

extension PageRequest {
    func next(_ token: String) -> Self {
        var next = self
        next.pageToken = token
        return next
    }
}

/// One page of a list, or some that are joined.
protocol Page: WireMessage {
    var nextPageToken: String { get set }

    /// Adds what is on the page behind this one.
    mutating func append(_ page: Self)
}

/// All pages from the one that `request` names, as one answer.
func allPages<Request: PageRequest, Answer: Page>(
    _ request: Request, ask: (Request) async throws -> Answer
) async throws -> Answer {
    var answer = try await ask(request)
    while !answer.nextPageToken.isEmpty {
        let page = try await ask(request.next(answer.nextPageToken))
        answer.append(page)
        answer.nextPageToken = page.nextPageToken
    }
    return answer
}

/// A list that a person asks for: one page of it, or with `--all` everything.
struct ListRequest<Request: PageRequest>: Sendable {
    let page: Request
    let wantsAll: Bool

    func answer<Answer: Page>(_ ask: (Request) async throws -> Answer) async throws -> Answer {
        wantsAll ? try await allPages(page, ask: ask) : try await ask(page)
    }
}

extension NearbyRequest: PageRequest {
    /// What matches is counted on the first page.
    func next(_ token: String) -> NearbyRequest {
        var next = self
        next.pageToken = token
        next.includeCount = false
        return next
    }
}

extension NearbyResponse: Page {
    mutating func append(_ page: NearbyResponse) {
        places += page.places
        truncated = page.truncated
    }
}

extension WithinRequest: PageRequest {
    /// What matches is counted on the first page.
    func next(_ token: String) -> WithinRequest {
        var next = self
        next.pageToken = token
        next.includeCount = false
        return next
    }
}

extension WithinResponse: Page {
    mutating func append(_ page: WithinResponse) {
        places += page.places
        truncated = page.truncated
    }
}

extension ListDatasetsRequest: PageRequest {}
extension ListDatasetsResponse: Page {
    mutating func append(_ page: ListDatasetsResponse) { datasets += page.datasets }
}

extension ListPinsRequest: PageRequest {}
extension ListPinsResponse: Page {
    mutating func append(_ page: ListPinsResponse) { pins += page.pins }
}

extension ListPinPlacesRequest: PageRequest {}
extension ListPinPlacesResponse: Page {
    mutating func append(_ page: ListPinPlacesResponse) {
        places += page.places
        count = page.count
    }
}

extension GetAlbumRequest: PageRequest {}
extension GetAlbumResponse: Page {
    mutating func append(_ page: GetAlbumResponse) { photos += page.photos }
}
