import Arguments
import Contracts
import EventLoops
import RPC
import Terminal

// Commands that begin or end a session, which is then kept for those that follow.

/// `waymark signup`
struct SignUpCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["signup"], summary: "make an account at a gateway, and log in to it", positionals: [.email],
        flags: [PasswordSource.flag(), Flag("invitation", "CODE", "where accounts are made by invitation")] + Flag.names
            + Flag.client,
        examples: ["signup ann@example.org", "signup ann@example.org --invitation K7QMX-…"])

    private let keeper: SessionKeeper
    private let password: PasswordSource
    private var request: SignUpRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keeper = try SessionKeeper(arguments)
        password = PasswordSource(arguments)
        request = SignUpRequest(
            email: arguments.positionals.first ?? "", firstName: arguments.text("first-name") ?? "",
            lastName: arguments.text("last-name") ?? "", invitation: arguments.text("invitation") ?? "",
            device: SessionKeeper.device)
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await keeper.begin(session, password, isNew: true) { client, password, options in
            var request = request
            request.password = password
            return try await client.signUp(request, options).session
        }
    }
}

/// `waymark login`
struct LogInCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["login"], summary: "log in to a gateway; commands that follow are made as that account",
        positionals: [.email], flags: [PasswordSource.flag()] + Flag.client,
        examples: ["login ann@example.org", "login ann@example.org --target map.example.org:7700"])

    private let keeper: SessionKeeper
    private let password: PasswordSource
    private let email: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keeper = try SessionKeeper(arguments)
        password = PasswordSource(arguments)
        email = arguments.positionals.first ?? ""
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await keeper.begin(session, password) { client, password, options in
            let request = LogInRequest(email: email, password: password, device: SessionKeeper.device)
            return try await client.logIn(request, options).session
        }
    }
}

/// `waymark password reset`
struct ResetPasswordCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["password", "reset"], summary: "set a forgotten password with a code, and log in",
        positionals: [Positional(name: "CODE", summary: "what an administrator gave you")],
        flags: [PasswordSource.flag()] + Flag.client, examples: ["password reset K7QMX-…"])

    private let keeper: SessionKeeper
    private let password: PasswordSource
    private let code: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keeper = try SessionKeeper(arguments)
        password = PasswordSource(arguments, question: "New password: ")
        code = arguments.positionals.first ?? ""
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await keeper.begin(session, password, isNew: true) { client, password, options in
            let request = ResetPasswordRequest(code: code, password: password, device: SessionKeeper.device)
            return try await client.resetPassword(request, options).session
        }
    }
}

/// `waymark password change`
struct PasswordCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["password", "change"],
        summary: "change your password, and end all other sessions and keys for programs",
        flags: [
            PasswordSource.flag("password-file", "the present password"),
            PasswordSource.flag("new-password-file", "the new password"), Flag.keepKeys,
        ] + Flag.client, examples: ["password change"])

    private let options: ClientOptions
    private let old: PasswordSource
    private let new: PasswordSource
    private let keepsKeys: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        old = PasswordSource(arguments, question: "Present password: ")
        new = PasswordSource(arguments, flag: "new-password-file", question: "New password: ")
        keepsKeys = arguments.has("keep-keys")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let answer = try await TargetLink.with(options.target) { link in
            let request = try await link.blocking.run { [old, new, keepsKeys] in
                ChangePasswordRequest(
                    password: try old.read(), newPassword: try new.read(isNew: true), keepApiKeys: keepsKeys)
            }
            return try await AccountServiceClient(link.client).changePassword(request, options.call)
        }
        try session.answer(answer) {
            let ended = AccountView.ended($0.endedCount, "other session", keys: $0.endedKeyCount)
            return ["The password is changed. \(ended)"]
        }
        return .success
    }
}

/// `waymark logout`
struct LogOutCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["logout"], summary: "end the session that waymark login began", flags: Flag.client,
        examples: ["logout"])

    private let keeper: SessionKeeper

    init(_ arguments: ParsedArguments) throws(UsageError) { keeper = try SessionKeeper(arguments) }

    func run(_ session: Session) async throws -> ExitCode { try await keeper.end(session) }
}
