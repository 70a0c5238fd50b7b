import Budgets
import AccountContracts
import Crypto
import Daemon
import EventLoops
import LoginProviders
import Mail
import RPC
import Storage
import Stores
import TestSupport
import TestTools
import Testing
import Wire

@testable import Accounts

/// The services of accounts on a real socket with a real database.
struct RunningAccounts {
    static let password = "correct horse"

    let accounts: AccountServiceClient
    let sessions: SessionServiceClient
    let administration: AccountAdministrationServiceClient
    let keys: APIKeyServiceClient
    let mail: AccountMailServiceClient
    let passkeys: PasskeyServiceClient
    let providers: LoginProviderServiceClient
    let store: AccountStore
    let clock: ManualClock
    private let signer: IdentitySigner

    init(_ client: RPCClient, _ store: AccountStore, _ clock: ManualClock, _ signer: IdentitySigner) {
        accounts = AccountServiceClient(client)
        sessions = SessionServiceClient(client)
        administration = AccountAdministrationServiceClient(client)
        keys = APIKeyServiceClient(client)
        mail = AccountMailServiceClient(client)
        passkeys = PasskeyServiceClient(client)
        providers = LoginProviderServiceClient(client)
        self.store = store
        self.clock = clock
        self.signer = signer
    }

    /// Options of a call by a stranger at an address.
    func from(_ address: String = "192.0.2.1") -> CallOptions { options(.stranger(ClientKey(address))) }

    /// Options of a call by an account, with one of its sessions.
    func of(_ account: String, roles: Roles = .user, session: String? = nil) -> CallOptions {
        options(.account(account, roles, by: .session(session ?? "another")))
    }

    /// Options of a call by a program with a key of an account.
    func withKey(of account: String, roles: Roles = .user, isReadOnly: Bool = false) -> CallOptions {
        options(.account(account, roles, by: .key("k1", isReadOnly: isReadOnly)))
    }

    /// Options of a call that the gateway lets in although its client has shown nothing.
    var open: CallOptions { options(.account("local", .ofAccounts, by: .nothing)) }

    var ofAdministrator: CallOptions { of("root", roles: .ofAccounts) }
    var ofGateway: CallOptions { options(.service("gateway", for: nil)) }

    private func options(_ claim: IdentityClaim) -> CallOptions {
        CallOptions(deadline: .now + .seconds(100), signedIdentity: signer.sign(claim))
    }

    /// Starts the service in a folder of its own, and stops it afterwards.
    static func with(
        signUp: SignUpRule = .open, publicURL: String? = "https://example.org", mail: MailServer? = nil,
        _ body: (RunningAccounts) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await with(folder: folder, signUp: signUp, publicURL: publicURL, mail: mail, body)
        }
    }

    static func with(
        folder: String, signUp: SignUpRule = .open, publicURL: String? = nil, clock: ManualClock = ManualClock(),
        mail: MailServer? = nil, agents: [ProviderAgent] = [], takesPasswords: Bool = true,
        _ body: (RunningAccounts) async throws -> Void
    ) async throws {
        let key = try #require(DeploymentKey(bytes: Array(0..<32)))
        let place = try PostgresServer.place(of: "\(folder)/pins.db")
        var settings = DatabaseSettings()
        settings.schema = place.schema
        let database = try await Database.open(
            place.address,
            migrations: [JobSchema.migration] + AccountsPart.migrations, settings: settings)
        let hasher = PasswordHasher()
        var store = AccountStore(database, hasher, clock: clock.clock, key: key, signUp: signUp, sendsMail: mail != nil)
        store.takesPasswords = takesPasswords
        let directory = ProviderDirectory(agents, publicURL: WebOrigin("https://map.example.org"))
        let site = PasskeySite(publicURL.flatMap { WebOrigin($0) })
        let router = Router(AccountsPart(store, site, directory).services)
        let opened = store
        let check = IdentityCheck(key, clock: clock.clock)
        let sending = try Sending(store, mail)
        let result: Result<Void, any Error>
        do {
            try await TestServer.with(router, interceptors: [check]) { server in
                try await server.withClient { client in
                    let signer = IdentitySigner(key, clock: clock.clock)
                    try await body(RunningAccounts(client, opened, clock, signer))
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await sending?.stop()
        try await BlockingCalls.run { hasher.close() }
        await database.close()
        try result.get()
    }

    /// Sends what is queued, as the pin service does.
    private struct Sending {
        static let site = "https://map.example.org"
        let sender: MailSender
        let runner: Task<Void, Never>

        init?(_ store: AccountStore, _ server: MailServer?) throws {
            guard let server else { return nil }
            let sender = MailSender(server, from: try #require(MailAddress("waymark@example.org")))
            let kind = MailJob(store, sender, site: Self.site).kind
            let runner = JobRunner(store.database, [kind], now: { store.now }) { _, _, _ in }
            self.sender = sender
            self.runner = Task { await runner.run() }
        }

        func stop() async throws {
            runner.cancel()
            await runner.value
            try await BlockingCalls.run { sender.close() }
        }
    }

    /// Makes an account, and returns its first session.
    func signUp(_ email: String, from address: String = "192.0.2.1") async throws -> NewSession {
        let request = SignUpRequest(email: email, password: Self.password, device: "Firefox")
        return try #require(try await accounts.signUp(request, from(address)).session)
    }

    func logIn(
        _ email: String, _ password: String = password, from address: String = "192.0.2.1"
    ) async throws -> NewSession {
        try #require(
            try await accounts.logIn(LogInRequest(email: email, password: password), from(address)).session)
    }

    /// The latest session of an account.
    func session(of account: String) async throws -> String {
        let now = clock.now
        let sessions = try await store.database.read { transaction throws(SQLError) in
            try transaction.sessions(of: account, at: now)
        }
        return try #require(sessions.max { $0.createdMilliseconds < $1.createdMilliseconds }?.id)
    }

    /// Whose a token is; nil when no session has it.
    func check(_ token: String) async throws -> CheckTokenResponse? {
        let request = CheckTokenRequest(digest: SHA256.digest(Array(token.utf8)))
        do {
            return try await sessions.checkToken(request, ofGateway)
        } catch let error as RPCError where error.code == .notFound {
            return nil
        }
    }
}

extension AccountStore {
    /// Deletes what has ended, as the pin service does every hour.
    func deleteExpired() async {
        await Upkeep(of: [AccountsPart(self, PasskeySite(nil))], in: database, clock: clock).deleteExpired()
    }
}
