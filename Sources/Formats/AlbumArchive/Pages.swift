import Contracts
import Wire

/// A request for one page of a list.
protocol PageRequest: WireMessage {
    var pageToken: String { get set }
}

/// One page of a list.
protocol Page: WireMessage {
    var nextPageToken: String { get }
}

/// The pages of a list, each asked for when it is wanted.
struct Pages<Request: PageRequest, Answer: Page>: AsyncSequence, AsyncIteratorProtocol {
    private var request: Request
    private let ask: (Request) async throws -> Answer
    private var isOver = false

    init(_ request: Request, ask: @escaping (Request) async throws -> Answer) {
        (self.request, self.ask) = (request, ask)
    }

    func makeAsyncIterator() -> Self { self }

    mutating func next() async throws -> Answer? {
        if isOver { return nil }
        let answer = try await ask(request)
        request.pageToken = answer.nextPageToken
        isOver = answer.nextPageToken.isEmpty
        return answer
    }
}

extension ListPinsRequest: PageRequest {}
extension ListPinsResponse: Page {}
extension ListPinsOfListRequest: PageRequest {}
extension ListPinsOfListResponse: Page {}
extension ListStarsRequest: PageRequest {}
extension ListStarsResponse: Page {}
extension ListFavouritesRequest: PageRequest {}
extension ListFavouritesResponse: Page {}
extension ListUploadsRequest: PageRequest {}
extension ListUploadsResponse: Page {}
