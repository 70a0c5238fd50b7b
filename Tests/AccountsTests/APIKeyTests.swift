import AccountContracts
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P48 keys for programs", .timeLimit(.minutes(2)))
struct APIKeyTests {
    private static func make(
        _ service: RunningAccounts, _ account: String, _ scope: KeyScope, roles: Roles = .user,
        life: DurationMessage? = nil
    ) async throws -> CreateAPIKeyResponse {
        let request = CreateAPIKeyRequest(name: "tablet", scope: scope, life: life)
        return try await service.keys.createAPIKey(
            request, service.of(account, roles: roles, session: try await service.session(of: account)))
    }

    @Test("act for their account within their scope, and are known by their digest alone")
    func scopes() async throws {
        try await RunningAccounts.with { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            for (scope, isReadOnly) in [(KeyScope.read, true), (.write, false)] {
                let made = try await Self.make(service, account, scope)
                #expect(made.token.hasPrefix("wmk_") && made.token.utf8.count == 68)
                let found = try #require(try await service.check(made.token))
                #expect(found.account == account && found.roles == [.user] && found.apiKey)
                #expect(found.readOnly == isReadOnly && found.session == made.key?.id && found.expireTime == nil)
            }
            let error = try await errorOf { try await Self.make(service, account, .admin) }
            #expect(error?.code == .permissionDenied, "more than the account may do")
            _ = try await service.signUp("root@example.org")
            for email in ["ann@example.org", "root@example.org"] {
                let roles = SetRolesRequest(email: email, roles: [.user, .admin])
                _ = try await service.administration.setRoles(roles, service.ofAdministrator)
            }
            let admin = try await Self.make(service, account, .admin, roles: .ofAccounts)
            #expect(try await service.check(admin.token)?.roles == [.user, .admin])
            // What the account may no longer do, its key may not either.
            let less = SetRolesRequest(email: "ann@example.org", roles: [.user])
            _ = try await service.administration.setRoles(less, service.ofAdministrator)
            #expect(try await service.check(admin.token)?.roles == [.user])
            let lock = LockAccountRequest(email: "ann@example.org", locked: true)
            _ = try await service.administration.lockAccount(lock, service.ofAdministrator)
            #expect(try await service.check(admin.token) == nil)
        }
    }

    @Test("may be limited to networks, which the gateway learns")
    func networks() async throws {
        try await RunningAccounts.with { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            let options = service.of(account, session: try await service.session(of: account))
            let request = CreateAPIKeyRequest(name: "tablet", scope: .write, networks: ["folder", "catalog"])
            let made = try await service.keys.createAPIKey(request, options)
            #expect(made.key?.networks == ["catalog", "folder"])
            #expect(try await service.check(made.token)?.networks == ["catalog", "folder"])
            let listed = try await service.keys.listAPIKeys(ListAPIKeysRequest(), options).keys
            #expect(listed.map(\.networks) == [["catalog", "folder"]])
            let bad: [([String], String)] = [
                (["catalog", "nowhere"], "networks[1]: \"nowhere\" is not allowed"),
                (Array(repeating: "catalog", count: 101), "networks: 101 networks are not allowed; at most 100 are"),
            ]
            for (networks, message) in bad {
                let error = try await errorOf {
                    try await service.keys.createAPIKey(
                        CreateAPIKeyRequest(name: "tablet", scope: .write, networks: networks), options)
                }
                #expect(error?.code == .invalidArgument && error?.message.contains(message) == true)
            }
        }
    }

    @Test("are made by who has just logged in, and end with a changed password and with all sessions, unless kept")
    func compromised() async throws {
        try await RunningAccounts.with { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            let (accounts, made) = (service.accounts, try await Self.make(service, account, .write))
            service.clock.move(by: 600_001)
            let stale = try await errorOf { try await Self.make(service, account, .write) }
            #expect(stale?.code == .failedPrecondition && stale?.message.hasPrefix("log in again") == true)
            let owner = service.of(account, session: try await service.session(of: account))
            var change = ChangePasswordRequest(
                password: RunningAccounts.password, newPassword: RunningAccounts.password, keepApiKeys: true)
            #expect(try await accounts.changePassword(change, owner).endedKeyCount == 0)
            #expect(
                try await service.accounts.revokeSessions(RevokeSessionsRequest(keepApiKeys: true), owner).endedKeyCount
                    == 0)
            #expect(try await accounts.revokeSessions(RevokeSessionsRequest(id: "x"), owner).endedKeyCount == 0)
            #expect(try await service.check(made.token) != nil)
            #expect(try await accounts.revokeSessions(RevokeSessionsRequest(), owner).endedKeyCount == 1)
            #expect(try await service.check(made.token) == nil)

            _ = try await service.logIn("ann@example.org")
            let another = try await Self.make(service, account, .write)
            change.keepApiKeys = false
            #expect(try await accounts.changePassword(change, owner).endedKeyCount == 1)
            #expect(try await service.check(another.token) == nil)
        }
    }

    @Test("end when they are revoked or their time has passed, and are listed without themselves")
    func ends() async throws {
        try await RunningAccounts.with { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            let bob = try #require(try await service.signUp("bob@example.org").account?.id)
            let (short, long) = (
                try await Self.make(service, account, .write, life: DurationMessage(.seconds(60))),
                try await Self.make(service, account, .write)
            )
            service.clock.move(by: 59_000)
            #expect(try await service.check(short.token) != nil)
            service.clock.move(by: 1_000)
            #expect(try await service.check(short.token) == nil)
            let revoke = RevokeAPIKeyRequest(id: try #require(long.key?.id))
            #expect(try await !service.keys.revokeAPIKey(revoke, service.of(bob)).revoked, "it is not his")
            #expect(try await service.check(long.token) != nil)
            let list = try await service.keys.listAPIKeys(ListAPIKeysRequest(), service.of(account)).keys
            #expect(list.count == 2 && list.contains { $0.name == "tablet" && $0.useTime != nil })
            #expect(!"\(list)".contains("wmk_"))
            #expect(try await service.keys.listAPIKeys(ListAPIKeysRequest(), service.of(bob)).keys.isEmpty)
            #expect(try await service.keys.revokeAPIKey(revoke, service.of(account)).revoked)
            #expect(try await !service.keys.revokeAPIKey(revoke, service.of(account)).revoked)
            #expect(try await service.check(long.token) == nil)
            await service.store.deleteExpired()
            #expect(try await service.keys.listAPIKeys(ListAPIKeysRequest(), service.of(account)).keys.isEmpty)
        }
    }

    @Test("do nothing about the account itself, and those that only read change nothing at all")
    func limits() async throws {
        try await RunningAccounts.with { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            let (accounts, keys) = (service.accounts, service.keys)
            let key = service.withKey(of: account)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await accounts.updateProfile(UpdateProfileRequest(firstName: "x"), key) },
                { _ = try await accounts.listSessions(ListSessionsRequest(), key) },
                { _ = try await accounts.revokeSessions(RevokeSessionsRequest(), key) },
                { _ = try await accounts.listSecurityEvents(ListSecurityEventsRequest(), key) },
                {
                    let change = ChangePasswordRequest(password: RunningAccounts.password, newPassword: "another one")
                    _ = try await accounts.changePassword(change, key)
                },
                { _ = try await keys.createAPIKey(CreateAPIKeyRequest(name: "x", scope: .write), key) },
                { _ = try await keys.listAPIKeys(ListAPIKeysRequest(), key) },
                { _ = try await keys.revokeAPIKey(RevokeAPIKeyRequest(id: "x"), key) },
            ]
            for call in calls { #expect(try await errorOf(call)?.code == .permissionDenied) }
            #expect(try await accounts.getProfile(GetProfileRequest(), key).account?.id == account)
            let reader = service.withKey(of: "root", roles: .ofAccounts, isReadOnly: true)
            #expect(try await service.administration.listAccounts(ListAccountsRequest(), reader).accounts.count == 1)
            let error = try await errorOf {
                try await service.administration.createInvitation(CreateInvitationRequest(), reader)
            }
            #expect(error?.code == .permissionDenied && error?.message.contains("only reads") == true)
        }
    }

    @Test("are refused with the field, the value and what is allowed")
    func refused() async throws {
        try await RunningAccounts.with { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            for (request, words) in [
                (CreateAPIKeyRequest(scope: .read), "name: it is missing"),
                (CreateAPIKeyRequest(name: "x"), "scope: 0 is not allowed; READ, WRITE and ADMIN are"),
                (CreateAPIKeyRequest(name: "x", scope: KeyScope(rawValue: 9)), "scope: 9 is not allowed"),
                (
                    CreateAPIKeyRequest(name: "x", scope: .read, life: DurationMessage(seconds: 59)),
                    "life: 59 s and 0 ns is not allowed; 1 minute to 10 years are"
                ),
                (CreateAPIKeyRequest(name: "x", scope: .read, life: DurationMessage(seconds: -1)), "life: -1 s"),
            ] {
                let error = try await errorOf { try await service.keys.createAPIKey(request, service.of(account)) }
                #expect(error?.code == .invalidArgument && error?.message.contains(words) == true)
            }
            let local = try await errorOf {
                try await service.keys.createAPIKey(
                    CreateAPIKeyRequest(name: "x", scope: .read), service.of("local"))
            }
            #expect(local?.code == .failedPrecondition, "a profile without an account has no keys")
        }
    }
}
