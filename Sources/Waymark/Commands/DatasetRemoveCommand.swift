import Arguments
import Contracts
import RPC
import Terminal

/// `waymark dataset rm`: takes a dataset out of the catalog.
struct DatasetRemoveCommand: Command {
    static let syntax = CommandSyntax(
        words: ["dataset", "rm"], summary: "remove a dataset with all its places",
        positionals: [Positional(name: "NAME", summary: "the dataset")],
        flags: [Flag("yes", "don't ask; needed when nobody can be asked")] + Flag.change + Flag.client,
        examples: ["dataset rm mine", "dataset rm mine --yes"])

    private let options: ClientOptions
    private let request: DeleteDatasetRequest
    private let change: ChangeName
    private let isConfirmed: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        isConfirmed = arguments.has("yes")
        request = DeleteDatasetRequest(name: arguments.positionals.first ?? "", requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        if !isConfirmed { try Confirmation(name: request.name, kind: "dataset").ask(session) }
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PlacesServiceClient(link.client).deleteDataset(request, options.call) }
        }
        try session.answer(response) { ["\(request.name) is gone, with \(Quantity.count($0.placeCount, "place"))."] }
        return .success
    }
}
