import Arguments
import Contracts
import RPC
import Terminal
import Wire

/// Links to pins and to lists of pins, for people without an account: `waymark share …`.
enum ShareCommands {
    static let all: [any Command] = [create, list, end]

    private static let create = UnaryCommand(
        changing: CommandSyntax(
            words: ["share", "create"], summary: "make a link to a pin or a list, for people without an account",
            positionals: [Positional(name: "PIN", summary: "its id, or its name; none with --list", isOptional: true)],
            flags: [
                Flag("list", "LIST", "the list that it leads to: its id, the beginning of it, or its name"),
                Flag("album", "its name and photos alone, and nothing of where it is"),
                Flag("life", "TIME", "how long it opens: 12h, 30d; until it is ended when not given"),
                Flag("password-file", "FILE", "a file whose first line is the password that it needs"),
                Flag("note", "with your note and the day of your visit"),
                Flag("immich", "with photos of your Immich library"),
            ],
            examples: [
                "share create 0190163d-… --life 30d", "share create 0190163d-… --album",
                "share create --list 'Summer 2026'",
            ]),
        request: { arguments, change in
            CreateShareRequest(
                pinId: arguments.optional(at: 0) ?? "",
                life: try arguments.duration("life").map { DurationMessage($0) },
                password: arguments.has("password-file") ? try PasswordSource(arguments).read() : "",
                withNote: arguments.has("note"),
                withImmich: arguments.has("immich"), listId: arguments.text("list") ?? "",
                albumOnly: arguments.has("album"), requestId: change.description)
        },
        call: { client, request, options in
            var request = request
            if !request.listId.isEmpty {
                request.listId = try await ListReference(text: request.listId).id(client, options)
            }
            return try await ShareServiceClient(client).createShare(request, options.call)
        },
        view: { view in
            view.answer.share.map { [$0.path, "It opens behind the address at which browsers reach your Waymark."] }
                ?? []
        })

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["share", "list"], summary: "your links to pins and lists",
            positionals: [Positional(name: "PIN", summary: "only links to this pin", isOptional: true)],
            examples: ["share list"]),
        request: { ListSharesRequest(pinId: $0.optional(at: 0) ?? "") },
        call: { try await ShareServiceClient($0).listShares($1, $2.call) },
        view: { $0.answer.shares.isEmpty ? ["You have no link."] : table($0.answer.shares).lines(on: $0.sink) })

    private static let end = UnaryCommand(
        CommandSyntax(
            words: ["share", "end"], summary: "end a link, for all who have it",
            positionals: [Positional(name: "ID", summary: "the link's id; `waymark share list` shows it")],
            examples: ["share end 1nAq3x…"]),
        request: { DeleteShareRequest(id: $0.positionals.first ?? "") },
        call: { try await ShareServiceClient($0).deleteShare($1, $2.call) },
        view: { [$0.answer.deleted ? "The link has ended." : "You have no such link."] })

    private static func table(_ shares: [Share]) -> Table {
        Table(
            columns: [
                .init(title: "ID"), .init(title: "LEADS TO", minimum: 8, style: .bold), .init(title: "LINK"),
                .init(title: "SHOWS", rank: 1), .init(title: "PASSWORD", rank: 1), .init(title: "OPENED"),
                .init(title: "ENDS", rank: 2),
            ],
            rows: shares.map { share in
                [
                    .init(share.id), .init(share.listId.isEmpty ? share.pinName : share.listName), .init(share.path),
                    .init(share.albumOnly ? "album" : share.listId.isEmpty ? "pin" : "list"),
                    .init(share.hasPassword ? "yes" : "no"),
                    .init(share.openCount == 0 ? "never" : "\(share.openCount)"),
                    .init(share.expireTime?.text ?? "never"),
                ]
            })
    }
}
