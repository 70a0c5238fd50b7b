import Contracts
import RPC

/// `waymark dataset rm`: takes a dataset out of the catalog.
struct DatasetRemoveCommand: Command {
    static let syntax = CommandSyntax(
        words: ["dataset", "rm"], summary: "remove a dataset with all its places",
        positionals: [Positional(name: "NAME", summary: "the dataset")], flags: Flag.client,
        examples: ["dataset rm mine"])

    private let options: ClientOptions
    private let name: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        name = arguments.positionals.first ?? ""
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PlacesServiceClient(link.client).deleteDataset(DeleteDatasetRequest(name: name), options.call)
        }
        try session.answer(response) { ["\(name) is gone, with \(Quantity.count($0.placeCount, "place"))."] }
        return .success
    }
}
