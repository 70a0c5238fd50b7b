import Arguments
import ProtoSchema
import Terminal

/// `waymark describe`: what a target says of a service, a method, a message or an enum.
struct DescribeCommand: Command {
    static let syntax = CommandSyntax(
        words: ["describe"], summary: "what the target knows of a service, a method, a message or an enum",
        positionals: [
            Positional(
                name: "SYMBOL", summary: "PinService, PinService/CreatePin, Pin; the package may be left out")
        ],
        flags: Flag.client, examples: ["describe PlacesService/Nearby", "describe Pin --json"])

    private let options: ClientOptions
    private let name: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        name = arguments.positionals.first ?? ""
    }

    func run(_ session: Session) async throws -> ExitCode {
        let remote = try await Link.with(options.target) { link in try await RemoteSchema.ask(link, options) }
        let symbol = try remote.symbol(named: name)
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(SymbolJSON(symbol)))
        } else {
            SymbolView(remote.schema).lines(symbol).forEach {
                session.console.print($0.text(on: session.console.output))
            }
        }
        return .success
    }
}
