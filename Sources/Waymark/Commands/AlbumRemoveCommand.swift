import Arguments
import Contracts
import RPC
import Terminal

/// `waymark album remove`: takes photos out of an album.
struct AlbumRemoveCommand: Command {
    static let syntax = CommandSyntax(
        words: ["album", "remove"], summary: "take photos out of an album",
        positionals: [.album, Positional(name: "PHOTO", summary: "the photo's id", isRepeatable: true)],
        flags: Flag.change + Flag.client)

    private let options: ClientOptions
    private let request: RemovePhotosRequest
    private let change: ChangeName

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        request = RemovePhotosRequest(
            subject: try arguments.subject(), photoIds: Array(arguments.positionals.dropFirst()),
            requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PhotoServiceClient(link.client).removePhotos(request, options.call) }
        }
        try session.answer(response) {
            AlbumView(album: $0.album ?? Album(), photos: [], sink: session.console.output).headLines
        }
        return .success
    }
}
