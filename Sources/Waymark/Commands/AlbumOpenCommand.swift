import Arguments
import Contracts
import RPC
import Terminal

/// `waymark album open`: has an album's pictures fetched.
struct AlbumOpenCommand: Command {
    static let syntax = CommandSyntax(
        words: ["album", "open"], summary: "open an album: its pictures are fetched, if that has not begun",
        positionals: [.album], flags: Flag.client, examples: ["album open catalog/helsinki/node/60068035"])

    private let options: ClientOptions
    private let request: OpenAlbumRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = OpenAlbumRequest(subject: try arguments.subject())
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PhotoServiceClient(link.client).openAlbum(request, options.call)
        }
        try session.answer(response) {
            AlbumView(album: $0.album ?? Album(), photos: $0.photos, sink: session.console.output).lines
        }
        return .success
    }
}
