import Arguments
import Contracts
import RPC
import Terminal

/// One's own account: `waymark signup`, `login`, `logout`, `profile`, `password`, `session`.
enum AccountCommands {
    static let all: [any Command] = [
        BodyCommand(SignUpCommand.self), BodyCommand(LogInCommand.self), BodyCommand(LogOutCommand.self), profile,
        rename, BodyCommand(PasswordCommand.self), forgot, BodyCommand(ResetPasswordCommand.self), sessions, revoke,
        events, delete, BodyCommand(AccountExportCommand.self),
    ]

    private static let profile = UnaryCommand(
        CommandSyntax(words: ["profile", "show"], summary: "who you are at a gateway", examples: ["profile show"]),
        request: { _ in GetProfileRequest() },
        call: { try await AccountServiceClient($0).getProfile($1, $2.call) },
        view: { AccountView.lines($0.answer.account) })

    private static let rename = UnaryCommand(
        CommandSyntax(
            words: ["profile", "set"], summary: "change your names; what is not given becomes empty",
            flags: Flag.names, examples: ["profile set --first-name Ann --last-name Smith"]),
        request: {
            UpdateProfileRequest(firstName: $0.text("first-name") ?? "", lastName: $0.text("last-name") ?? "")
        },
        call: { try await AccountServiceClient($0).updateProfile($1, $2.call) },
        view: { AccountView.lines($0.answer.account) })

    private static let forgot = UnaryCommand(
        CommandSyntax(
            words: ["password", "forgot"], summary: "have a code sent with which a forgotten password can be set",
            positionals: [.email], examples: ["password forgot ann@example.org"]),
        request: { RequestPasswordResetRequest(email: $0.positionals.first ?? "") },
        call: { try await AccountMailServiceClient($0).requestPasswordReset($1, $2.call) },
        view: { _ in
            [
                "If an account has this address, a message is on its way.",
                "`waymark password reset CODE` sets a new password with the code in it.",
            ]
        })

    private static let sessions = UnaryCommand(
        CommandSyntax(words: ["session", "list"], summary: "where you are logged in", examples: ["session list"]),
        request: { _ in ListSessionsRequest() },
        call: { try await AccountServiceClient($0).listSessions($1, $2.call) },
        view: { AccountView.table($0.answer.sessions).lines(on: $0.sink) })

    private static let revoke = UnaryCommand(
        CommandSyntax(
            words: ["session", "revoke"], summary: "end one of your sessions, or all but this one and all keys",
            positionals: [Positional(name: "ID", summary: "the session; all others when not given", isOptional: true)],
            flags: [.keepKeys], examples: ["session revoke", "session revoke 1nAq3x…"]),
        request: { RevokeSessionsRequest(id: $0.optional(at: 0) ?? "", keepApiKeys: $0.has("keep-keys")) },
        call: { try await AccountServiceClient($0).revokeSessions($1, $2.call) },
        view: { [AccountView.ended($0.answer.endedCount, "session", keys: $0.answer.endedKeyCount)] })

    private static let delete = UnaryCommand(
        CommandSyntax(
            words: ["profile", "delete"],
            summary: "delete your account and all that it has, for good; log in first, within ten minutes",
            positionals: [Positional(name: "EMAIL", summary: "its own address, so that you delete no other")],
            examples: ["profile delete ann@example.org"]),
        request: { DeleteAccountRequest(email: $0.positionals.first ?? "") },
        call: { try await AccountServiceClient($0).deleteAccount($1, $2.call) },
        view: { _ in ["The account is deleted. What it had goes within minutes."] })

    private static let events = UnaryCommand(
        CommandSyntax(
            words: ["session", "log"], summary: "what happened to your account: log-ins, failures, changes",
            flags: [Flag("limit", "N", "at most so many, 1 to 200; 50 when not given")], examples: ["session log"]),
        request: { ListSecurityEventsRequest(limit: try $0.count("limit")) },
        call: { try await AccountServiceClient($0).listSecurityEvents($1, $2.call) },
        view: { AccountView.table($0.answer.events).lines(on: $0.sink) })
}

extension Flag {
    static let keepKeys = Flag("keep-keys", "keys for programs go on; without it they end when all sessions do")

    /// A person's names.
    static let names = [
        Flag("first-name", "NAME", "may be left out"), Flag("last-name", "NAME", "may be left out"),
    ]
}

extension Positional {
    static let email = Positional(name: "EMAIL", summary: "the address that names the account")
}
