import Arguments
import Contracts
import RPC
import Terminal

/// `waymark album restore`: brings removed photos back.
struct AlbumRestoreCommand: Command {
    static let syntax = CommandSyntax(
        words: ["album", "restore"], summary: "bring removed photos back, each to where it was",
        positionals: [
            .album,
            Positional(
                name: "PHOTO", summary: "the photo's id; all that were removed when none is given", isOptional: true,
                isRepeatable: true),
        ],
        flags: Flag.change + Flag.client)

    private let options: ClientOptions
    private let request: RestorePhotosRequest
    private let change: ChangeName

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        request = RestorePhotosRequest(
            subject: try arguments.subject(), photoIds: Array(arguments.positionals.dropFirst()),
            requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PhotoServiceClient(link.client).restorePhotos(request, options.call) }
        }
        try session.answer(response) {
            AlbumView(album: $0.album ?? Album(), photos: [], sink: session.console.output).headLines
        }
        return .success
    }
}
