import Arguments
import EventLoops
import Terminal

/// `waymark target`: saves the gateway that is called when nothing else is said.
struct TargetCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["target"], summary: "save the gateway that commands call, or show it",
        positionals: [
            Positional(
                name: "HOST:PORT", summary: "the gateway, or HOST,HOST:PORT for several; shown when not given",
                isOptional: true)
        ],
        flags: Flag.client.filter { $0.name == "target" } + [
            Flag("forget", "call \(ClientOptions.defaultTarget) again")
        ],
        examples: ["target nas.local:7700", "target", "target --forget"])

    private struct Answer: Encodable {
        let target: String
    }

    private let saved: SavedTarget
    private let address: String?
    private let forgets: Bool
    /// What a command calls now.
    private let target: Target

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let saved = SavedTarget(arguments.environment) else {
            throw UsageError("there is no HOME to save a target under")
        }
        self.saved = saved
        address = arguments.positionals.first
        forgets = arguments.has("forget")
        guard address == nil || !forgets else { throw UsageError("--forget and HOST:PORT can't be given together") }
        if let address {
            guard let endpoint = Endpoint(address, defaultPort: ClientOptions.defaultPort), endpoint.port != 0 else {
                throw UsageError("\(address) is not allowed; HOST:PORT is, such as \(ClientOptions.defaultTarget)")
            }
            target = Target(endpoint)
        } else {
            target = try Target(arguments)
        }
    }

    func run(_ session: Session) async throws -> ExitCode {
        if address != nil || forgets { try saved.keep(address == nil ? nil : target.description) }
        let now = forgets ? ClientOptions.defaultTarget : target.description
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(Answer(target: now)))
        } else {
            session.console.print(address == nil && !forgets ? now : "Commands call \(now) from now on.")
        }
        return .success
    }
}
