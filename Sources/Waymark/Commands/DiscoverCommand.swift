import Arguments
import Contracts
import RPC
import Terminal

/// `waymark discover`: lets live networks be asked for the places around a point.
struct DiscoverCommand: Command {
    static let syntax = CommandSyntax(
        words: ["discover"], summary: "ask live networks for the places around a point",
        positionals: Positional.point,
        flags: [
            Flag("radius", "LENGTH", "how far around, 1m to 20km; 1km when not given"),
            Flag("network", "NAME", "only this network; all that are configured when not given", isRepeatable: true),
            Flag("force", "ask also for what is known already"),
        ] + Flag.client,
        examples: ["discover 60.1699 24.9384 --radius 500", "discover 60.17 24.94 --network openstreetmap --json"])

    private let options: ClientOptions
    private let request: DiscoverRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = DiscoverRequest(
            centre: try arguments.coordinate(), radiusM: try arguments.metres("radius"),
            networks: arguments.all("network"), force: arguments.has("force"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PlacesServiceClient(link.client).discover(request, options.call)
        }
        try session.answer(response) { NetworkTable.lines($0.results, on: session.console.output) }
        return .success
    }
}
