import Arguments
import Bytes
import Contracts
import Glibc
import RPC
import Terminal

/// What is done with the catalog's datasets: `waymark import` and `waymark dataset …`.
enum DatasetCommands {
    static let all: [any Command] = [
        BodyCommand(ImportCommand.self), list, show, BodyCommand(DatasetRemoveCommand.self),
    ]

    private static let list = UnaryCommand(
        CommandSyntax(words: ["dataset", "list"], summary: "the catalog's datasets"),
        request: { _ in ListDatasetsRequest(pageSize: pageSize) },
        call: { client, request, options in
            try await allPages(request) { try await PlacesServiceClient(client).listDatasets($0, options.call) }
        },
        view: { SourceTables.lines($0.answer.datasets, on: $0.sink) })

    private static let show = UnaryCommand(
        CommandSyntax(
            words: ["dataset", "show"], summary: "what a dataset has: places, addresses, its map",
            positionals: [Positional(name: "NAME", summary: "the dataset")], examples: ["dataset show helsinki"]),
        request: { $0.positionals.first ?? "" },
        call: { client, name, options in
            let all = try await allPages(ListDatasetsRequest(pageSize: pageSize)) {
                try await PlacesServiceClient(client).listDatasets($0, options.call)
            }
            guard let dataset = all.datasets.first(where: { $0.name == name }) else {
                throw RPCError(.notFound, "there is no dataset \(name); waymark dataset list tells which there are")
            }
            return dataset
        },
        view: { DatasetView(dataset: $0.answer, sink: $0.sink).lines })

    private static let pageSize: UInt32 = 1000
}

/// `waymark dataset rm`: takes a dataset out of the catalog.
struct DatasetRemoveCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["dataset", "rm"], summary: "remove a dataset with all its places",
        positionals: [Positional(name: "NAME", summary: "the dataset")],
        flags: [Flag("yes", "don't ask; needed without a terminal")] + Flag.change + Flag.client,
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
        let response = try await TargetLink.with(options.target) { link in
            try await change.calling { try await PlacesServiceClient(link.client).deleteDataset(request, options.call) }
        }
        try session.answer(response) { ["\(request.name) is deleted, with \(Quantity.count($0.placeCount, "place"))."] }
        return .success
    }
}

/// The confirmation before something is deleted permanently: its name has to be typed.
struct Confirmation {
    let name: String
    /// What it is: "dataset".
    let kind: String
    /// Reads what is typed; nil when there is no terminal.
    var answer: @Sendable () -> String? = { isatty(STDIN_FILENO) == 1 ? readLine() : nil }

    /// Returns when the name was typed. Throws when another one was, or when there is no terminal to ask at.
    func ask(_ session: Session) throws {
        let isAsked = session.console.messages.isTerminal && !session.wantsJSON
        if isAsked {
            session.console.messages.write(
                "This removes the \(kind) \(name.printable) and all that is in it. Type its name to continue: ")
        }
        guard isAsked, let typed = answer() else {
            throw UsageError("--yes is needed to remove the \(kind) \(name) without a terminal")
        }
        guard typed.trimmed == name else { throw CommandFailure("nothing was removed: that is not its name") }
    }
}
