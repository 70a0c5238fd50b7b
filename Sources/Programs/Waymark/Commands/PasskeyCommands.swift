import Arguments
import Contracts
import RPC
import Terminal
import Wire

/// Passkeys: `waymark passkey …`. A browser makes them and logs in with them; here they are looked after.
enum PasskeyCommands {
    static let all: [any Command] = [list, rename, remove, clear]

    private static let id = Positional(name: "ID", summary: "the passkey's id; `waymark passkey list` shows it")

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["passkey", "list"], summary: "the passkeys that log in to your account",
            examples: ["passkey list"]),
        request: { _ in ListPasskeysRequest() },
        call: { try await PasskeyServiceClient($0).listPasskeys($1, $2.call) },
        view: { reply in
            let passkeys = reply.answer.passkeys
            return passkeys.isEmpty
                ? ["You have no passkey; the page of your account on the map makes one."]
                : table(passkeys).lines(on: reply.sink)
        })

    private static let rename = UnaryCommand(
        CommandSyntax(
            words: ["passkey", "rename"], summary: "call one of your passkeys something else",
            positionals: [id, Positional(name: "NAME", summary: "what it is called from now on")],
            examples: ["passkey rename 1nAq3x… 'the phone'"]),
        request: { RenamePasskeyRequest(id: $0.positionals.first ?? "", name: $0.optional(at: 1) ?? "") },
        call: { try await PasskeyServiceClient($0).renamePasskey($1, $2.call) },
        view: { ["It is called \($0.answer.passkey?.name ?? "").".printable] })

    private static let remove = UnaryCommand(
        CommandSyntax(
            words: ["passkey", "rm"], summary: "remove one of your passkeys: no one can log in with it any more",
            positionals: [id], examples: ["passkey rm 1nAq3x…"]),
        request: { RemovePasskeyRequest(id: $0.positionals.first ?? "") },
        call: { try await PasskeyServiceClient($0).removePasskey($1, $2.call) },
        view: { [$0.answer.removed ? "The passkey is removed." : "You have no such passkey."] })

    private static let clear = UnaryCommand(
        CommandSyntax(
            words: ["admin", "clear-passkeys"],
            summary: "remove all passkeys of an account and end its sessions, when someone else may have made one",
            positionals: [.email], examples: ["admin clear-passkeys ann@example.org"]),
        request: { ClearPasskeysRequest(email: $0.positionals.first ?? "") },
        call: { try await PasskeyServiceClient($0).clearPasskeys($1, $2.call) },
        view: { ["\(Quantity.count($0.answer.removedCount, "passkey")) removed; all sessions have ended."] })

    private static func table(_ passkeys: [Passkey]) -> Table {
        Table(
            columns: [
                .init(title: "ID"), .init(title: "NAME", minimum: 8, style: .bold), .init(title: "MADE", rank: 2),
                .init(title: "LAST USED"), .init(title: "ON SEVERAL DEVICES", rank: 1),
            ],
            rows: passkeys.map { passkey in
                [
                    .init(passkey.id), .init(passkey.name), .init(passkey.createTime?.text ?? ""),
                    .init(passkey.useTime?.text ?? "never"), .init(passkey.synchronized ? "yes" : ""),
                ]
            })
    }
}
