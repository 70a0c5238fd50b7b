import Arguments
import Contracts
import RPC
import Terminal

/// What is done with the album of a pin or a place: `waymark album …`.
enum AlbumCommands {
    static let all: [any Command] = [
        show, open, BodyCommand(AlbumWatchCommand.self), new, remove, restore, BodyCommand(AlbumExportCommand.self),
        BodyCommand(AlbumImportCommand.self), BodyCommand(AlbumVerifyCommand.self),
    ]

    /// An album with all its photos.
    private static let show = UnaryCommand(
        CommandSyntax(
            words: ["album", "show"], summary: "the photos of a pin or a place", positionals: [.album],
            flags: [Flag("removed", "the photos that were removed instead")],
            examples: ["album show 01a1f8cb-6901-7c14-b2c1-5071771f994f", "album show catalog/helsinki/node/60068035"]
        ),
        request: { GetAlbumRequest(subject: try $0.subject(), removed: $0.has("removed")) },
        call: { client, request, options in
            try await allPages(request) { try await PhotoServiceClient(client).getAlbum($0, options.call) }
        },
        view: { reply in
            AlbumView(
                album: reply.answer.album ?? Album(), photos: reply.answer.photos, sink: reply.sink,
                showsRemoved: reply.request.removed
            ).lines
        })

    /// Has an album's pictures fetched.
    private static let open = UnaryCommand(
        CommandSyntax(
            words: ["album", "open"], summary: "open an album: its pictures are fetched, if that has not begun",
            positionals: [.album], examples: ["album open catalog/helsinki/node/60068035"]),
        request: { OpenAlbumRequest(subject: try $0.subject()) },
        call: { try await PhotoServiceClient($0).openAlbum($1, $2.call) },
        view: { AlbumView(album: $0.answer.album ?? Album(), photos: $0.answer.photos, sink: $0.sink).lines })

    /// Other photos for an album.
    private static let new = UnaryCommand(
        changing: CommandSyntax(
            words: ["album", "new"], summary: "replace an album's photos by others of the same pin or place",
            positionals: [.album],
            flags: [
                Flag("size", "N", "how many photos, 1 to 250; 24 when not given"),
                Flag("include-removed", "photos that were removed may come back"),
            ]),
        request: { arguments, change in
            NewCollectionRequest(
                subject: try arguments.subject(), size: try arguments.count("size"),
                includeRemoved: arguments.has("include-removed"), requestId: "\(change)")
        },
        call: { try await PhotoServiceClient($0).newCollection($1, $2.call) },
        view: { reply in
            head(reply.answer.album ?? Album(subject: reply.request.subject), reply.sink)
                + ["", "waymark album watch \(reply.request.subject) shows its progress.".printable]
        })

    /// Takes photos out of an album.
    private static let remove = UnaryCommand(
        changing: CommandSyntax(
            words: ["album", "remove"], summary: "take photos out of an album",
            positionals: [.album, Positional(name: "PHOTO", summary: "the photo's id", isRepeatable: true)]),
        request: { arguments, change in
            RemovePhotosRequest(
                subject: try arguments.subject(), photoIds: photos(arguments), requestId: "\(change)")
        },
        call: { try await PhotoServiceClient($0).removePhotos($1, $2.call) },
        view: { reply in
            let words = ["waymark", "album", "restore", reply.request.subject] + reply.request.photoIds
            return head(reply.answer.album ?? Album(), reply.sink)
                + ["", "Undo: \(words.map { Invitation.quoted($0) }.joined(separator: " "))".printable]
        })

    /// Brings removed photos back.
    private static let restore = UnaryCommand(
        changing: CommandSyntax(
            words: ["album", "restore"], summary: "bring removed photos back, each to where it was",
            positionals: [
                .album,
                Positional(
                    name: "PHOTO", summary: "the photo's id; all that were removed when none is given",
                    isOptional: true, isRepeatable: true),
            ]),
        request: { arguments, change in
            RestorePhotosRequest(
                subject: try arguments.subject(), photoIds: photos(arguments), requestId: "\(change)")
        },
        call: { try await PhotoServiceClient($0).restorePhotos($1, $2.call) },
        view: { head($0.answer.album ?? Album(), $0.sink) })

    /// The ids of photos behind the album.
    private static func photos(_ arguments: ParsedArguments) -> [String] { Array(arguments.positionals.dropFirst()) }

    /// An album without its photos.
    private static func head(_ album: Album, _ sink: TextSink) -> [String] {
        AlbumView(album: album, photos: [], sink: sink).headLines
    }
}

/// `waymark album watch`: how an album's pictures come.
struct AlbumWatchCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["album", "watch"], summary: "watch an album fill up, until all its pictures are there",
        positionals: [.album], flags: [.follow] + Flag.client)

    private let watch: AlbumWatcher

    init(_ arguments: ParsedArguments) throws(UsageError) {
        watch = AlbumWatcher(
            subject: try arguments.subject(), options: try ClientOptions(arguments), follows: arguments.has("follow"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(watch.options.target) { link in try await watch.run(link, session) }
    }
}
