import Contracts
import Wire

/// A request for one page of a list.
protocol ArchivedListRequest: WireMessage {
    var pageToken: String { get set }
}

/// One page of a list.
protocol ArchivedPage: WireMessage {
    var nextPageToken: String { get }
}

/// The pages of a list, each asked for when it is wanted.
struct ArchivedPages<Request: ArchivedListRequest, Answer: ArchivedPage>: AsyncSequence, AsyncIteratorProtocol {
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

extension ListPinsRequest: ArchivedListRequest {}
extension ListPinsResponse: ArchivedPage {}
extension ListPinsOfListRequest: ArchivedListRequest {}
extension ListPinsOfListResponse: ArchivedPage {}
extension ListStarsRequest: ArchivedListRequest {}
extension ListStarsResponse: ArchivedPage {}
extension ListFavouritesRequest: ArchivedListRequest {}
extension ListFavouritesResponse: ArchivedPage {}
extension ListUploadsRequest: ArchivedListRequest {}
extension ListUploadsResponse: ArchivedPage {}
