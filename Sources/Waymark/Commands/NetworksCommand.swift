import Arguments
import Contracts
import RPC
import Terminal

/// `waymark networks`: where places come from.
struct NetworksCommand: Command {
    static let syntax = CommandSyntax(
        words: ["networks"], summary: "the networks that places come from, configured or not", flags: Flag.client)

    private let options: ClientOptions

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try ClientOptions(arguments) }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PlacesServiceClient(link.client).listNetworks(ListNetworksRequest(), options.call)
        }
        try session.answer(response) { NetworkTable.lines($0.networks, on: session.console.output) }
        return .success
    }
}
