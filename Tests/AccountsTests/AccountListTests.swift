import AccountContracts
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P30 P32 what owners and administrators see of accounts", .timeLimit(.minutes(2)))
struct AccountListTests {
    @Test("administrators read that something was shared, and not what its owner calls it")
    func names() {
        for (kind, shown) in [
            (SecurityEvent.Kind.shareCreated, ""), (.shareDeleted, ""), (.shareRefused, ""), (.grantCreated, ""),
            (.grantDeleted, ""), (.loggedIn, "Home"), (.keyMade, "Home"),
        ] {
            let event = SecurityEvent(kind, of: "ann", from: "192.0.2.1", about: "Home", at: 1)
            #expect(event.device == "Home" && event.forAdministrators.device == shown)
        }
    }

    @Test("sessions are listed with the one that asks, and revoked one by one or all but it")
    func sessions() async throws {
        try await RunningAccounts.with { service in
            let first = try await service.signUp("ann@example.org")
            let account = try #require(first.account?.id)
            service.clock.move(by: 1000)
            let others = [
                try await service.logIn("ann@example.org", from: "198.51.100.7"),
                try await service.logIn("ann@example.org"),
            ]
            let bob = try await service.signUp("bob@example.org")
            let current = try #require(try await service.check(first.token)).session
            let options = service.of(account, session: current)
            let list = try await service.accounts.listSessions(ListSessionsRequest(), options).sessions
            #expect(list.map(\.current).filter(\.self).count == 1 && list.count == 3)
            #expect(list.first { $0.current }?.device == "Firefox")
            #expect(list.contains { $0.address == "198.51.100.7" })
            // Someone else's is not there.
            let bobs = try #require(try await service.check(bob.token)).session
            let foreign = RevokeSessionsRequest(id: bobs)
            #expect(try await service.accounts.revokeSessions(foreign, options).endedCount == 0)
            #expect(try await service.check(bob.token) != nil)
            let one = RevokeSessionsRequest(id: try #require(try await service.check(others[0].token)).session)
            #expect(try await service.accounts.revokeSessions(one, options).endedCount == 1)
            #expect(try await service.accounts.revokeSessions(RevokeSessionsRequest(), options).endedCount == 1)
            #expect(try await service.check(others[0].token) == nil)
            #expect(try await service.check(others[1].token) == nil)
            #expect(try await service.check(first.token) != nil)
        }
    }

    @Test("what happened is listed for its owner, the newest first, and for administrators of all, without secrets")
    func events() async throws {
        try await RunningAccounts.with { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            service.clock.move(by: 1)
            _ = try await errorOf { try await service.logIn("ann@example.org", "wrong horse", from: "203.0.113.9") }
            service.clock.move(by: 1)
            _ = try await errorOf { try await service.logIn("no-one@example.org", "wrong horse") }
            service.clock.move(by: 1)
            let token = try await service.logIn("ann@example.org").token
            service.clock.move(by: 1)
            _ = try await service.accounts.logOut(LogOutRequest(token: token), service.from())
            let own = try await service.accounts.listSecurityEvents(
                ListSecurityEventsRequest(), service.of(account)
            ).events
            #expect(own.map(\.kind) == [.loggedOut, .loggedIn, .logInFailed, .signedUp])
            #expect(own[2].address == "203.0.113.9")
            let all = try await service.administration.listAllSecurityEvents(
                ListAllSecurityEventsRequest(), service.ofAdministrator
            ).events
            #expect(all.count == 5 && all.contains { $0.kind == .logInFailed && $0.account.isEmpty })
            for event in all { #expect(!"\(event)".contains("horse") && !"\(event)".contains("no-one")) }
            let two = ListSecurityEventsRequest(limit: 2)
            #expect(try await service.accounts.listSecurityEvents(two, service.of(account)).events.count == 2)
        }
    }

    @Test("roles and locks take effect at once, and the last administrator stays")
    func administration() async throws {
        try await RunningAccounts.with { service in
            let ann = try await service.signUp("ann@example.org")
            let roles = SetRolesRequest(email: "ANN@example.org", roles: [.user, .admin])
            #expect(try await service.administration.setRoles(roles, service.ofAdministrator).account?.roles.count == 2)
            #expect(try await service.check(ann.token)?.roles == [.user, .admin])
            for call in [
                {
                    try await service.administration.setRoles(
                        SetRolesRequest(email: "ann@example.org", roles: [.user]), service.ofAdministrator
                    ).account
                },
                {
                    try await service.administration.lockAccount(
                        LockAccountRequest(email: "ann@example.org", locked: true), service.ofAdministrator
                    ).account
                },
            ] as [@Sendable () async throws -> AccountContracts.Account?] {
                let error = try await errorOf { try await call() }
                #expect(error?.code == .failedPrecondition)
            }
            #expect(try await service.check(ann.token)?.roles == [.user, .admin], "nothing was changed")
            let bob = try await service.signUp("bob@example.org")
            let lock = LockAccountRequest(email: "bob@example.org", locked: true)
            #expect(try await service.administration.lockAccount(lock, service.ofAdministrator).account?.locked == true)
            #expect(try await service.check(bob.token) == nil)
            let unlock = LockAccountRequest(email: "bob@example.org", locked: false)
            _ = try await service.administration.lockAccount(unlock, service.ofAdministrator)
            _ = try await service.logIn("bob@example.org")
            let unknown = try await errorOf {
                try await service.administration.lockAccount(
                    LockAccountRequest(email: "x@example.org"), service.ofAdministrator)
            }
            #expect(unknown?.code == .notFound)
            for roles in [[], [.service], [.anyone], [Role(rawValue: 99)], [.user, .admin, .user]] as [[Role]] {
                let request = SetRolesRequest(email: "bob@example.org", roles: roles)
                let error = try await errorOf {
                    try await service.administration.setRoles(request, service.ofAdministrator)
                }
                #expect(error?.code == .invalidArgument, "\(roles)")
            }
        }
    }

    @Test("accounts are listed by their addresses, page by page")
    func list() async throws {
        try await RunningAccounts.with { service in
            for name in ["c", "a", "b"] { _ = try await service.signUp("\(name)@example.org") }
            let first = try await service.administration.listAccounts(
                ListAccountsRequest(limit: 2), service.ofAdministrator)
            #expect(first.accounts.map(\.email) == ["a@example.org", "b@example.org"] && first.truncated)
            let rest = try await service.administration.listAccounts(
                ListAccountsRequest(limit: 2, afterEmail: "b@example.org"), service.ofAdministrator)
            #expect(rest.accounts.map(\.email) == ["c@example.org"] && !rest.truncated)
        }
    }

    @Test("who has shown nothing, in open mode, neither administers accounts nor changes the profile that all share")
    func open() async throws {
        try await RunningAccounts.with { service in
            let code = try #require(try await service.store.administratorCode())
            let request = CreateAdministratorRequest(
                code: code, email: "root@example.org", password: RunningAccounts.password, takeOverLocal: true)
            _ = try await service.accounts.createAdministrator(request, service.from())
            let (accounts, administration, open) = (service.accounts, service.administration, service.open)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await accounts.updateProfile(UpdateProfileRequest(firstName: "x"), open) },
                { _ = try await accounts.listSessions(ListSessionsRequest(), open) },
                { _ = try await accounts.revokeSessions(RevokeSessionsRequest(), open) },
                { _ = try await accounts.listSecurityEvents(ListSecurityEventsRequest(), open) },
                { _ = try await accounts.deleteAccount(DeleteAccountRequest(email: "root@example.org"), open) },
                {
                    let change = ChangePasswordRequest(password: RunningAccounts.password, newPassword: "another one")
                    _ = try await accounts.changePassword(change, open)
                },
                { _ = try await administration.listAccounts(ListAccountsRequest(), open) },
                { _ = try await administration.createInvitation(CreateInvitationRequest(), open) },
                {
                    let reset = CreateResetCodeRequest(email: "root@example.org")
                    _ = try await administration.createResetCode(reset, open)
                },
                { _ = try await administration.lockAccount(LockAccountRequest(email: "root@example.org"), open) },
                {
                    let roles = SetRolesRequest(email: "root@example.org", roles: [.user])
                    _ = try await administration.setRoles(roles, open)
                },
                { _ = try await administration.listAllSecurityEvents(ListAllSecurityEventsRequest(), open) },
            ]
            let methods = AccountServiceMethods.all + AccountAdministrationServiceMethods.all
            #expect(calls.count == methods.count { $0.role != .anyone && $0.method != "GetProfile" })
            for call in calls { #expect(try await errorOf(call)?.code == .unauthenticated) }
            let profile = try await accounts.getProfile(GetProfileRequest(), open).account
            #expect(profile?.id == "local" && profile?.email == "", "whose it is stays private")
        }
    }

    @Test("a session that a deployment's token began has that token's roles, and names it")
    func deployment() async throws {
        try await RunningAccounts.with { service in
            let digest = [UInt8](repeating: 7, count: 32)
            let request = BeginSessionRequest(deploymentToken: digest, roles: [.user], address: "192.0.2.1")
            let token = try #require(try await service.sessions.beginSession(request, service.ofGateway).session).token
            let found = try #require(try await service.check(token))
            #expect(found.account == "local" && found.roles == [.user] && found.deploymentToken == digest)
        }
    }

    @Test("what has ended is forgotten")
    func upkeep() async throws {
        try await RunningAccounts.with { service in
            _ = try await service.signUp("ann@example.org")
            _ = try await errorOf { try await service.logIn("ann@example.org", "wrong") }
            service.clock.move(by: 91 * 86_400_000)
            await service.store.deleteExpired()
            let count = try await service.store.database.read { transaction throws(SQLError) in
                try transaction.first(
                    """
                    SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM security_events)
                        + (SELECT count(*) FROM account_addresses) + (SELECT count(*) FROM log_in_attempts)
                    """
                ) { row throws(SQLError) in try row.integer(0) }
            }
            #expect(count == 0)
        }
    }
}
