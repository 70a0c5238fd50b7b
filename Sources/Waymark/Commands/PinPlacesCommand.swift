import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin places`: the places that are linked to a pin.
struct PinPlacesCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "places"], summary: "the places that are linked to a pin, nearest first", positionals: [.pin],
        flags: [
            Flag("with-photos", "only places that have photos"),
            Flag("network", "NAME", "only this network", isRepeatable: true),
            Flag("limit", "N", "how many places at most, 1 to 1000; 100 when not given"),
            Flag("all", "all places, page by page"),
        ] + Flag.client,
        examples: ["pin places 01a1f8cb-6901-7c14-b2c1-5071771f994f --with-photos"])

    private let options: ClientOptions
    private let request: ListPinPlacesRequest
    private let wantsAll: Bool

    /// The most that one page may have.
    private static let largestPage: UInt32 = 1000

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        wantsAll = arguments.has("all")
        request = ListPinPlacesRequest(
            id: arguments.pinID, pageSize: try arguments.count("limit") ?? (wantsAll ? Self.largestPage : nil),
            networks: arguments.all("network"), withPhotos: arguments.has("with-photos"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in try await list(PinServiceClient(link.client)) }
        try session.answer(response) { PinPlacesView(response: $0, sink: session.console.output).lines }
        return .success
    }

    /// One page, or all of them put together.
    private func list(_ pins: PinServiceClient) async throws -> ListPinPlacesResponse {
        var answer = try await pins.listPinPlaces(request, options.call)
        while wantsAll, !answer.nextPageToken.isEmpty {
            var next = request
            next.pageToken = answer.nextPageToken
            let page = try await pins.listPinPlaces(next, options.call)
            answer.places += page.places
            answer.nextPageToken = page.nextPageToken
            answer.count = page.count
        }
        return answer
    }
}
