import Arguments
import Contracts
import RPC
import Terminal
import Wire

/// What accounts share with each other: `waymark share with …` for who shares, `waymark shared …` for the other one.
enum GrantCommands {
    /// `waymark shared` alone comes last, as others begin with the same word.
    static let all: [any Command] = [with, accounts, revoke, show, BodyCommand(SharedAddCommand.self), leave, shared]

    private static let with = UnaryCommand(
        CommandSyntax(
            words: ["share", "with"], summary: "share a pin or a list with another account of this server",
            positionals: [
                Positional(name: "EMAIL", summary: "the address that it logs in with"),
                Positional(name: "PIN", summary: "its id, or its name; none with --list", isOptional: true),
            ],
            flags: [
                Flag("list", "LIST", "the list to share: its id, the beginning of it, or its name"),
                Flag("add-photos", "it may add photos to the pin's album; once more without, it may not"),
            ],
            examples: ["share with ann@example.org Esplanadi --add-photos", "share with ann@example.org --list Summer"]
        ),
        request: {
            CreateGrantRequest(
                pinId: $0.optional(at: 1) ?? "", listId: $0.text("list") ?? "", email: $0.positionals.first ?? "",
                right: $0.has("add-photos") ? .addPhotos : .read)
        },
        call: { client, request, options in
            var request = request
            if !request.listId.isEmpty {
                request.listId = try await ListReference(text: request.listId).id(client, options)
            }
            return try await GrantServiceClient(client).createGrant(request, options.call)
        },
        view: { view in
            view.answer.grant.map { ["\($0.name) is shared with \($0.email), if there is such an account.".printable] }
                ?? []
        })

    private static let accounts = UnaryCommand(
        CommandSyntax(
            words: ["share", "accounts"], summary: "which accounts you share pins and lists with",
            positionals: [Positional(name: "PIN", summary: "only this pin", isOptional: true)],
            examples: ["share accounts"]),
        request: { ListGrantsRequest(pinId: $0.optional(at: 0) ?? "") },
        call: { try await GrantServiceClient($0).listGrants($1, $2.call) },
        view: { reply in
            let rows: [[Table.Cell]] = reply.answer.grants.map { grant in
                [.init(grant.id), .init(grant.name), .init(grant.email), .init(words(grant.right))]
            }
            if rows.isEmpty { return ["You share nothing with an account."] }
            let columns: [Table.Column] = [
                .init(title: "ID"), .init(title: "WHAT", minimum: 8, style: .bold), .init(title: "WITH"),
                .init(title: "MAY"),
            ]
            return Table(columns: columns, rows: rows).lines(on: reply.sink)
        })

    private static let revoke = UnaryCommand(
        CommandSyntax(
            words: ["share", "revoke"], summary: "end that something is shared with an account",
            positionals: [Positional(name: "ID", summary: "its id; `waymark share accounts` shows it")],
            examples: ["share revoke 1nAq3x…"]),
        request: { DeleteGrantRequest(id: $0.positionals.first ?? "") },
        call: { try await GrantServiceClient($0).deleteGrant($1, $2.call) },
        view: { [$0.answer.deleted ? "It is no more shared." : "You share nothing by this id."] })

    private static let shared = UnaryCommand(
        CommandSyntax(words: ["shared"], summary: "what other accounts share with you", examples: ["shared"]),
        request: { _ in ListSharedWithMeRequest() },
        call: { try await GrantServiceClient($0).listSharedWithMe($1, $2.call) },
        view: { reply in
            let rows: [[Table.Cell]] = reply.answer.shared.map { shared in
                [.init(shared.id), .init(shared.name), .init(shared.ownerName), .init(words(shared.right))]
            }
            if rows.isEmpty { return ["Nothing is shared with you."] }
            let columns: [Table.Column] = [
                .init(title: "ID"), .init(title: "WHAT", minimum: 8, style: .bold), .init(title: "BY"),
                .init(title: "YOU MAY"),
            ]
            return Table(columns: columns, rows: rows).lines(on: reply.sink)
        })

    private static let show = UnaryCommand(
        CommandSyntax(
            words: ["shared", "show"], summary: "a pin or a list that is shared with you",
            positionals: [.sharedID], examples: ["shared show 1nAq3x…", "shared show 1nAq3x… --json"]),
        request: { GetSharedWithMeRequest(id: $0.positionals.first ?? "") },
        call: { try await SharedWithMeServiceClient($0).getSharedWithMe($1, $2.call) },
        view: { SharedText.lines($0.answer) })

    private static let leave = UnaryCommand(
        CommandSyntax(
            words: ["shared", "leave"], summary: "take something off the list of what is shared with you",
            positionals: [.sharedID], examples: ["shared leave 1nAq3x…"]),
        request: { DeleteGrantRequest(id: $0.positionals.first ?? "") },
        call: { try await GrantServiceClient($0).deleteGrant($1, $2.call) },
        view: { [$0.answer.deleted ? "It is off your list." : "Nothing by this id is shared with you."] })

    private static func words(_ right: GrantRight) -> String { right == .addPhotos ? "add photos" : "look" }
}

extension Positional {
    fileprivate static let sharedID = Positional(name: "ID", summary: "its id; `waymark shared` shows it")
}

/// `waymark shared add`: uploads photos to the album of another account's pin.
struct SharedAddCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["shared", "add"], summary: "add photos of your own to a pin that is shared with you",
        positionals: [
            .sharedID, Positional(name: "FILE", summary: "a picture of at most 64 MiB", isRepeatable: true),
        ], flags: Flag.client, examples: ["shared add 1nAq3x… ~/Pictures/*.jpg"])

    private let options: ClientOptions
    private let id: String
    private let files: [String]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        id = arguments.positionals.first ?? ""
        files = Array(arguments.positionals.dropFirst())
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(options.target) { [options, id] link in
            let sender = PhotoSender(pin: "", uploads: UploadServiceClient(link.client), options: options) {
                [client = link.client] upload in
                let request = AddSharedPhotoRequest(id: id, uploadId: upload)
                return try await SharedWithMeServiceClient(client).addSharedPhoto(request, options.call).photo
            }
            return try await AddedPhoto.all(files, by: sender, link, session)
        }
    }
}
