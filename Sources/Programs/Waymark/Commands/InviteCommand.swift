import Arguments
import Contracts
import RPC
import Terminal

/// `waymark admin invite`
struct InviteCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["admin", "invite"], summary: "make an invitation: the one who has its code may make one account",
        flags: [Flag("send", "EMAIL", "sends the code to this address instead of printing it")] + Flag.client,
        examples: ["admin invite", "admin invite --send bob@example.org"])

    private let options: ClientOptions
    private let email: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        email = arguments.text("send")
    }

    func run(_ session: Session) async throws -> ExitCode {
        guard let email else { return try await show(session) }
        let answer = try await TargetLink.with(options.target) { link in
            try await AccountMailServiceClient(link.client).sendInvitation(
                SendInvitationRequest(email: email), options.call)
        }
        try session.answer(answer) { _ in
            ["The invitation is on its way to \(email); `waymark admin log` says whether it could be sent.".printable]
        }
        return .success
    }

    private func show(_ session: Session) async throws -> ExitCode {
        let answer = try await TargetLink.with(options.target) { link in
            try await AccountAdministrationServiceClient(link.client).createInvitation(
                CreateInvitationRequest(), options.call)
        }
        try session.answer(answer) { ["\($0.code)  good once, until \($0.expireTime?.text ?? "") UTC"] }
        return .success
    }
}
