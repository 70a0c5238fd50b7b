import Arguments
import Bytes
import Contracts
import RPC
import Terminal
import Wire

/// What administrators do: `waymark admin …`.
enum AdminCommands {
    static let all: [any Command] = [
        BodyCommand(AdminCreateCommand.self), list, BodyCommand(InviteCommand.self), reset, lock(true), lock(false),
        roles, events,
    ]

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["admin", "list"], summary: "all accounts, by their e-mail addresses",
            flags: [
                Flag("limit", "N", "at most so many, 1 to 500; 100 when not given"),
                Flag("after", "EMAIL", "those behind this address"),
            ], examples: ["admin list"]),
        request: { ListAccountsRequest(limit: try $0.count("limit"), afterEmail: $0.text("after") ?? "") },
        call: { try await AccountAdministrationServiceClient($0).listAccounts($1, $2.call) },
        view: { reply in
            guard let last = reply.answer.accounts.last else { return ["There is no account."] }
            let lines = AccountView.table(reply.answer.accounts).lines(on: reply.sink)
            return lines + (reply.answer.truncated ? ["There are more: --after \(last.email)".printable] : [])
        })

    private static let reset = UnaryCommand(
        CommandSyntax(
            words: ["admin", "reset"], summary: "make a code with which an account's password can be set",
            positionals: [.email], examples: ["admin reset ann@example.org"]),
        request: { CreateResetCodeRequest(email: $0.positionals.first ?? "") },
        call: { try await AccountAdministrationServiceClient($0).createResetCode($1, $2.call) },
        view: { ["\($0.answer.code)  good once, until \($0.answer.expireTime?.text ?? "") UTC"] })

    private static func lock(_ isLocked: Bool) -> UnaryCommand<LockAccountRequest, LockAccountResponse> {
        let word = isLocked ? "lock" : "unlock"
        return UnaryCommand(
            CommandSyntax(
                words: ["admin", word],
                summary: isLocked ? "lock an account, which ends its sessions" : "let an account in again",
                positionals: [.email], examples: ["admin \(word) ann@example.org"]),
            request: { LockAccountRequest(email: $0.positionals.first ?? "", locked: isLocked) },
            call: { try await AccountAdministrationServiceClient($0).lockAccount($1, $2.call) },
            view: {
                ["\(AccountView.name($0.answer.account)) is \(isLocked ? "locked" : "no longer locked").".printable]
            })
    }

    private static let roles = UnaryCommand(
        CommandSyntax(
            words: ["admin", "roles"], summary: "change what an account may do",
            positionals: [
                .email, Positional(name: "ROLES", summary: "user, admin, or user,admin"),
            ], examples: ["admin roles ann@example.org user,admin"]),
        request: { arguments in
            SetRolesRequest(
                email: arguments.positionals.first ?? "", roles: try named(arguments.optional(at: 1) ?? ""))
        },
        call: { try await AccountAdministrationServiceClient($0).setRoles($1, $2.call) },
        view: { AccountView.lines($0.answer.account) })

    private static func named(_ text: String) throws(UsageError) -> [Role] {
        try text.split(at: ",").map { word throws(UsageError) in
            guard let role = [Role.user, .admin].first(where: { Role.names[$0] == String(word) }) else {
                throw UsageError("ROLES has \(word); user and admin are allowed")
            }
            return role
        }
    }

    private static let events = UnaryCommand(
        CommandSyntax(
            words: ["admin", "log"], summary: "what happened to all accounts: log-ins, failures, changes",
            flags: [Flag("limit", "N", "at most so many, 1 to 200; 50 when not given")], examples: ["admin log"]),
        request: { ListAllSecurityEventsRequest(limit: try $0.count("limit")) },
        call: { try await AccountAdministrationServiceClient($0).listAllSecurityEvents($1, $2.call) },
        view: { AccountView.table($0.answer.events).lines(on: $0.sink) })
}

/// `waymark admin create`
struct AdminCreateCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["admin", "create"], summary: "make the first administrator, with the code that pin-service has printed",
        positionals: [Positional(name: "CODE", summary: "what pin-service printed when it started"), .email],
        flags: [
            PasswordSource.flag(),
            Flag("take-over-local", "the account becomes the profile \"local\", with all that it has"),
        ] + Flag.names + Flag.client,
        examples: ["admin create K7QMX-… ann@example.org --take-over-local"])

    private let keeper: SessionKeeper
    private let password: PasswordSource
    private var request: CreateAdministratorRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keeper = try SessionKeeper(arguments)
        password = PasswordSource(arguments)
        request = CreateAdministratorRequest(
            code: arguments.positionals.first ?? "", email: arguments.optional(at: 1) ?? "",
            firstName: arguments.text("first-name") ?? "", lastName: arguments.text("last-name") ?? "",
            takeOverLocal: arguments.has("take-over-local"), device: SessionKeeper.device)
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await keeper.begin(session, password, isNew: true) { client, password, options in
            var request = request
            request.password = password
            return try await client.createAdministrator(request, options).session
        }
    }
}
