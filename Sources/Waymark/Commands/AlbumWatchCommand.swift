import Arguments
import Contracts
import RPC

/// `waymark album watch`: how an album's pictures come.
struct AlbumWatchCommand: Command {
    static let syntax = CommandSyntax(
        words: ["album", "watch"], summary: "watch an album fill up, until all its pictures are there",
        positionals: [.album], flags: [.follow] + Flag.client)

    private let watch: AlbumWatch

    init(_ arguments: ParsedArguments) throws(UsageError) {
        watch = AlbumWatch(
            subject: try arguments.subject(), options: try ClientOptions(arguments), follows: arguments.has("follow"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await Link.with(watch.options.target) { link in try await watch.run(link, session) }
    }
}
