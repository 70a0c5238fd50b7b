import Arguments
import Contracts
import EventLoops
import Glibc
import RPC
import Terminal

/// Begins and ends the session that is kept for a gateway.
struct SessionKeeper: Sendable {
    private let options: ClientOptions
    private let saved: SavedSessions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        guard let saved = SavedSessions(arguments.environment) else {
            throw UsageError("there is no HOME to keep the session under")
        }
        self.saved = saved
    }

    /// How this program is called in the list of sessions: "waymark on ann-laptop".
    static var device: String {
        var name = [CChar](repeating: 0, count: 65)
        guard unsafe gethostname(&name, 64) == 0 else { return "waymark" }
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "waymark on \(host)"
    }

    /// Reads the password, makes the call, and keeps the session that it begins.
    func begin(
        _ session: Session, _ password: PasswordSource, isNew: Bool = false,
        _ call: (AccountServiceClient, String, CallOptions) async throws -> NewSession?
    ) async throws -> ExitCode {
        let begun = try await TargetLink.with(options.target) { link in
            let text = try await link.blocking.run { try password.read(isNew: isNew) }
            var bare = options.call
            // Who logs in is not yet who this token says.
            bare.token = ""
            guard let begun = try await call(AccountServiceClient(link.client), text, bare) else {
                throw UsageError("the gateway did not begin a session")
            }
            try await link.blocking.run { [saved, options] in
                try saved.keep(begun.token, for: options.target.endpoint)
            }
            return begun
        }
        try session.answer(GetProfileResponse(account: begun.account)) { answer in
            ["Logged in to \(options.target) as \(AccountView.name(answer.account)).".printable]
        }
        return .success
    }

    /// Ends the kept session. When the gateway can't be reached, it is kept.
    func end(_ session: Session) async throws -> ExitCode {
        let wasKept = try await TargetLink.with(options.target) { link in
            let token = try await link.blocking.run { [saved, options] in
                try saved.token(for: options.target.endpoint)
            }
            guard let token else { return false }
            var bare = options.call
            bare.token = ""
            _ = try await AccountServiceClient(link.client).logOut(LogOutRequest(token: token), bare)
            try await link.blocking.run { [saved, options] in try saved.keep(nil, for: options.target.endpoint) }
            return true
        }
        try session.answer(LogOutResponse()) { _ in
            [wasKept ? "Logged out of \(options.target)." : "No one was logged in to \(options.target)."]
        }
        return .success
    }
}
