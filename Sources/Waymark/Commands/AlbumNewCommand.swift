import Arguments
import Contracts
import RPC
import Terminal

/// `waymark album new`: other photos for an album.
struct AlbumNewCommand: Command {
    static let syntax = CommandSyntax(
        words: ["album", "new"], summary: "replace an album's photos by others of the same pin or place",
        positionals: [.album],
        flags: [
            Flag("size", "N", "how many photos, 1 to 250; 24 when not given"),
            Flag("include-removed", "photos that were removed may come back"),
        ] + Flag.change + Flag.client)

    private let options: ClientOptions
    private let request: NewCollectionRequest
    private let change: ChangeName

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        request = NewCollectionRequest(
            subject: try arguments.subject(), size: try arguments.count("size"),
            includeRemoved: arguments.has("include-removed"), requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PhotoServiceClient(link.client).newCollection(request, options.call) }
        }
        try session.answer(response) { response in
            let album = response.album ?? Album(subject: request.subject)
            return AlbumView(album: album, photos: [], sink: session.console.output).headLines
                + ["", "waymark album watch \(request.subject) shows how it goes on.".printable]
        }
        return .success
    }
}
