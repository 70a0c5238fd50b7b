import Contracts
import RPC
import Terminal
import Wire

/// Accounts, sessions and what happened to them, as people read them.
enum AccountView {
    /// "Ann Smith <ann@example.org>", or the id of a profile without an address.
    static func name(_ account: Account?) -> String {
        guard let account else { return "nobody" }
        let names = [account.firstName, account.lastName].filter { !$0.isEmpty }.joined(separator: " ")
        if account.email.isEmpty { return names.isEmpty ? account.id : names }
        return names.isEmpty ? account.email : "\(names) <\(account.email)>"
    }

    /// "2 sessions and 1 key ended."
    static func ended(_ sessions: UInt32, _ noun: String, keys: UInt32) -> String {
        let count = Quantity.count(sessions, noun)
        return keys == 0 ? "\(count) ended." : "\(count) and \(Quantity.count(keys, "key")) ended."
    }

    static func lines(_ account: Account?) -> [String] {
        guard let account else { return [] }
        var lines = [name(account).printable]
        let roles = account.roles.compactMap { Role.names[$0] }.joined(separator: ", ")
        if !roles.isEmpty { lines.append("Roles    \(roles)") }
        if let time = account.createTime?.text { lines.append("Since    \(time) UTC") }
        if account.email.isEmpty {
            lines.append("This is the profile of open mode; `waymark login EMAIL` logs in to an account.")
        }
        return lines
    }

    static func table(_ accounts: [Account]) -> Table {
        Table(
            columns: [
                .init(title: "EMAIL", style: .bold), .init(title: "NAME", minimum: 8), .init(title: "ROLES"),
                .init(title: "SINCE", rank: 1), .init(title: "STATE"),
            ],
            rows: accounts.map { account in
                [
                    .init(account.email), .init("\(account.firstName) \(account.lastName)"),
                    .init(account.roles.compactMap { Role.names[$0] }.joined(separator: ", ")),
                    .init(account.createTime?.text ?? ""), .init(account.locked ? "locked" : ""),
                ]
            })
    }

    static func table(_ sessions: [Contracts.Session]) -> Table {
        Table(
            columns: [
                .init(title: "ID"), .init(title: "DEVICE", minimum: 12, style: .bold), .init(title: "ADDRESS", rank: 1),
                .init(title: "LAST USED"), .init(title: "ENDS", rank: 2), .init(title: "THIS ONE"),
            ],
            rows: sessions.map { session in
                [
                    .init(session.id), .init(session.device), .init(session.address),
                    .init(session.useTime?.text ?? ""), .init(session.expireTime?.text ?? ""),
                    .init(session.current ? "yes" : ""),
                ]
            })
    }

    static func table(_ events: [SecurityEvent]) -> Table {
        Table(
            columns: [
                .init(title: "TIME"), .init(title: "WHAT", style: .bold), .init(title: "ACCOUNT", rank: 3),
                .init(title: "ADDRESS", rank: 1), .init(title: "DEVICE", minimum: 8, rank: 2),
            ],
            rows: events.map { event in
                [
                    .init(event.time?.text ?? ""), .init(words(event.kind)), .init(event.account),
                    .init(event.address), .init(event.device),
                ]
            })
    }

    private static func words(_ kind: SecurityEventKind) -> String {
        switch kind {
        case .signedUp: "account made"
        case .loggedIn: "logged in"
        case .logInFailed: "log-in failed"
        case .loggedOut: "logged out"
        case .passwordChanged: "password changed"
        case .passwordReset: "password set with a code"
        case .sessionsRevoked: "sessions ended"
        case .resetCodeMade: "reset code made"
        case .locked: "locked"
        case .unlocked: "unlocked"
        case .rolesChanged: "roles changed"
        case .keyMade: "key made"
        case .keyRevoked: "key revoked"
        case .resetMailed: "reset code mailed"
        case .invitationMailed: "invitation mailed"
        case .mailFailed: "mail failed"
        case .passkeyAdded: "passkey added"
        case .passkeyRemoved: "passkey removed"
        case .passkeyLoggedIn: "logged in with a passkey"
        case .passkeyCopied: "passkey refused, perhaps a copy"
        case .passkeysCleared: "all passkeys removed"
        default: "something that this program is too old to name"
        }
    }
}
