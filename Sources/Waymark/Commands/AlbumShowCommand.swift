import Arguments
import Contracts
import RPC
import Terminal

/// `waymark album show`: an album and its photos.
struct AlbumShowCommand: Command {
    static let syntax = CommandSyntax(
        words: ["album", "show"], summary: "the photos of a pin or a place", positionals: [.album],
        flags: [Flag("removed", "the photos that were removed instead")] + Flag.client,
        examples: ["album show 01a1f8cb-6901-7c14-b2c1-5071771f994f", "album show catalog/helsinki/node/60068035"])

    private let options: ClientOptions
    private let request: GetAlbumRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = GetAlbumRequest(subject: try arguments.subject(), removed: arguments.has("removed"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in try await all(PhotoServiceClient(link.client)) }
        try session.answer(response) { response in
            AlbumView(
                album: response.album ?? Album(), photos: response.photos, sink: session.console.output,
                showsRemoved: request.removed
            ).lines
        }
        return .success
    }

    /// All pages put together.
    private func all(_ photos: PhotoServiceClient) async throws -> GetAlbumResponse {
        var answer = try await photos.getAlbum(request, options.call)
        while !answer.nextPageToken.isEmpty {
            var next = request
            next.pageToken = answer.nextPageToken
            let page = try await photos.getAlbum(next, options.call)
            answer.photos += page.photos
            answer.nextPageToken = page.nextPageToken
        }
        return answer
    }
}
