import Arguments
import Bytes
import Contracts
import RPC
import Terminal
import Wire

/// Keys for programs that act for one's account: `waymark key …`.
enum KeyCommands {
    static let all: [any Command] = [create, list, revoke]

    private static let create = UnaryCommand(
        CommandSyntax(
            words: ["key", "create"],
            summary: "make a key for a program; it is shown once; log in first, within ten minutes",
            positionals: [Positional(name: "NAME", summary: "what it is for")],
            flags: [
                Flag("scope", "SCOPE", "read, write or admin; write when not given"),
                Flag("life", "TIME", "how long it lasts: 12h, 90d; without end when not given"),
                Flag("networks", "NAMES", "the only networks that its calls may have asked, with commas between them"),
            ], examples: ["key create 'the tablet in the kitchen' --scope read --life 90d"]),
        request: { arguments in
            CreateAPIKeyRequest(
                name: arguments.positionals.first ?? "", scope: try scope(arguments.text("scope") ?? "write"),
                life: try arguments.duration("life").map { DurationMessage($0) },
                networks: arguments.all("networks").flatMap { $0.split(at: ",") }.map(String.init))
        },
        call: { try await APIKeyServiceClient($0).createAPIKey($1, $2.call) },
        view: { [$0.answer.token, "It is not shown again. WAYMARK_TOKEN or --token-file gives it to a command."] })

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["key", "list"], summary: "your keys for programs, without the keys themselves",
            examples: ["key list"]),
        request: { _ in ListAPIKeysRequest() },
        call: { try await APIKeyServiceClient($0).listAPIKeys($1, $2.call) },
        view: { $0.answer.keys.isEmpty ? ["You have no key."] : table($0.answer.keys).lines(on: $0.sink) })

    private static let revoke = UnaryCommand(
        CommandSyntax(
            words: ["key", "revoke"], summary: "end a key for programs",
            positionals: [Positional(name: "ID", summary: "the key's id; `waymark key list` shows it")],
            examples: ["key revoke 1nAq3x…"]),
        request: { RevokeAPIKeyRequest(id: $0.positionals.first ?? "") },
        call: { try await APIKeyServiceClient($0).revokeAPIKey($1, $2.call) },
        view: { [$0.answer.revoked ? "The key has ended." : "You have no such key."] })

    private static let scopes: [(word: String, scope: KeyScope)] = [
        ("read", .read), ("write", .write), ("admin", .admin),
    ]

    private static func scope(_ text: String) throws(UsageError) -> KeyScope {
        guard let scope = scopes.first(where: { $0.word == text })?.scope else {
            throw UsageError("--scope is \(text); read, write and admin are allowed")
        }
        return scope
    }

    private static func table(_ keys: [APIKey]) -> Table {
        Table(
            columns: [
                .init(title: "ID"), .init(title: "NAME", minimum: 8, style: .bold), .init(title: "SCOPE"),
                .init(title: "NETWORKS", rank: 2), .init(title: "LAST USED"), .init(title: "ENDS", rank: 1),
            ],
            rows: keys.map { key in
                [
                    .init(key.id), .init(key.name), .init(scopes.first { $0.scope == key.scope }?.word ?? ""),
                    .init(key.networks.isEmpty ? "all" : key.networks.joined(separator: ", ")),
                    .init(key.useTime?.text ?? "never"), .init(key.expireTime?.text ?? "never"),
                ]
            })
    }
}
