import Arguments
import Contracts
import RPC

/// `waymark pin watch`: how a pin fills up.
struct PinWatchCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "watch"], summary: "watch a pin fill up, until its search and its album have ended",
        positionals: [.pin], flags: [.follow] + Flag.client,
        examples: ["pin watch 01a1f8cb-6901-7c14-b2c1-5071771f994f --timeout 1m"])

    private let watch: PinWatch
    private let id: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        watch = PinWatch(options: try ClientOptions(arguments), follows: arguments.has("follow"))
        id = arguments.pinID
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await Link.with(watch.options.target) { link in
            try await watch.run(link, session, from: PinProgress(id: id))
        }
    }
}
