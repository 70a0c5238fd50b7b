import Arguments
import Contracts
import RPC
import Terminal

/// `waymark geocode`: where something is that a text names.
struct GeocodeCommand: Command {
    static let syntax = CommandSyntax(
        words: ["geocode"], summary: "what a text names: countries, regions, towns, addresses; best first",
        positionals: [Positional(name: "TEXT", summary: "a name or an address, as people write it")],
        flags: [
            Flag("limit", "N", "how many matches at most, 1 to 50; 10 when not given"),
            Flag("near", "LAT,LON", "of equally good matches those near this point come first"),
            Flag("country", "CODE", "only in this country, by two letters: FI", isRepeatable: true),
        ] + Flag.client,
        examples: ["geocode \"Seattle, WA\"", "geocode \"Mannerheimintie 22, Helsinki\" --limit 1 --json"])

    private let options: ClientOptions
    private let request: GeocodeRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = GeocodeRequest(
            text: arguments.positionals[0], limit: try arguments.count("limit"), bias: try arguments.point("near"),
            countryCodes: arguments.all("country"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PlacesServiceClient(link.client).geocode(request, options.call)
        }
        try session.answer(response) { GeocodeView(response: $0, sink: session.console.output).lines }
        return .success
    }
}
