import Arguments
import Contracts
import RPC
import Terminal

/// `waymark dataset list`: what the catalog holds.
struct DatasetListCommand: Command {
    static let syntax = CommandSyntax(
        words: ["dataset", "list"], summary: "the catalog's datasets", flags: Flag.client)

    private let options: ClientOptions
    private static let pageSize: UInt32 = 1000

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try ClientOptions(arguments) }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await all(PlacesServiceClient(link.client))
        }
        try session.answer(response) { DatasetTable.lines($0.datasets, on: session.console.output) }
        return .success
    }

    private func all(_ places: PlacesServiceClient) async throws -> ListDatasetsResponse {
        var answer = ListDatasetsResponse()
        repeat {
            let request = ListDatasetsRequest(pageSize: Self.pageSize, pageToken: answer.nextPageToken)
            let page = try await places.listDatasets(request, options.call)
            answer.datasets += page.datasets
            answer.nextPageToken = page.nextPageToken
        } while !answer.nextPageToken.isEmpty
        return answer
    }
}
