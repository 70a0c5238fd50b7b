import AccountContracts
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import Accounts

@Suite("P30 P32 logging in", .timeLimit(.minutes(2)))
struct LogInTests {
    private static let wrong = "the e-mail address or the password is wrong"

    @Test("begins a session whose token tells whose it is, and none of it is kept in clear")
    func begins() async throws {
        try await RunningAccounts.with { service in
            let first = try await service.signUp("Ann@Example.org")
            let second = try await service.logIn("ann@example.ORG")
            #expect(first.token != second.token && first.account?.id == second.account?.id)
            #expect(second.account?.email == "Ann@Example.org" && second.account?.roles == [.user])
            for session in [first, second] {
                #expect(session.token.hasPrefix("wms_") && session.token.utf8.count == 68)
                let found = try await service.check(session.token)
                #expect(found?.account == first.account?.id && found?.roles == [.user])
            }
            #expect(try await service.check(first.token + "x") == nil)
            let kept = try await service.store.database.read { transaction throws(SQLError) in
                try transaction.rows("SELECT password, email FROM accounts") { row throws(SQLError) in try row.text(0) }
            }
            #expect(kept.count == 1 && kept[0].hasPrefix("$argon2id$") && !kept[0].contains(RunningAccounts.password))
        }
    }

    @Test("answers a wrong password, an unknown address and a locked account with the same words")
    func refused() async throws {
        try await RunningAccounts.with { service in
            _ = try await service.signUp("ann@example.org")
            _ = try await service.signUp("root@example.org")
            _ = try await service.administration.setRoles(
                SetRolesRequest(email: "root@example.org", roles: [.user, .admin]), service.ofAdministrator)
            _ = try await service.signUp("locked@example.org")
            let lock = LockAccountRequest(email: "locked@example.org", locked: true)
            _ = try await service.administration.lockAccount(lock, service.ofAdministrator)
            for (email, password) in [
                ("ann@example.org", "wrong horse"), ("bob@example.org", RunningAccounts.password),
                ("locked@example.org", RunningAccounts.password),
            ] {
                let error = try await errorOf { try await service.logIn(email, password) }
                #expect(error?.code == .unauthenticated && error?.message == Self.wrong)
            }
        }
    }

    @Test("asks what is missing or malformed by the field's name")
    func fields() async throws {
        try await RunningAccounts.with { service in
            for (request, words) in [
                (LogInRequest(password: "x"), "email: it is missing"),
                (LogInRequest(email: "a@b"), "password: it is missing"),
                (LogInRequest(email: "ab", password: "x"), "email: \"ab\" is not allowed"),
                (LogInRequest(email: "a@b@c", password: "x"), "email: \"a@b@c\" is not allowed"),
                (LogInRequest(email: "a b@c", password: "x"), "email: \"a b@c\" is not allowed"),
                (
                    LogInRequest(email: String(repeating: "a", count: 300) + "@b", password: "x"),
                    "email: 302 characters"
                ),
                (
                    LogInRequest(email: "a@b", password: String(repeating: "a", count: 201)),
                    "password: 201 characters are not allowed"
                ),
                (LogInRequest(email: "a@b", password: "x", device: "a\nb"), "device: a control character"),
            ] {
                let error = try await errorOf { try await service.accounts.logIn(request, service.from()) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
                #expect(error?.message.contains("aaaaaaaaaa") != true)
            }
        }
    }

    @Test("ends a session once, and again without an error")
    func logOut() async throws {
        try await RunningAccounts.with { service in
            let session = try await service.signUp("ann@example.org")
            for _ in 0..<2 {
                _ = try await service.accounts.logOut(LogOutRequest(token: session.token), service.from())
                #expect(try await service.check(session.token) == nil)
            }
        }
    }

    @Test("lasts a day from its last use")
    func expiry() async throws {
        try await RunningAccounts.with { service in
            let (used, unused) = (
                try await service.signUp("ann@example.org"), try await service.logIn("ann@example.org")
            )
            service.clock.move(by: 20 * 3_600_000)
            #expect(try await service.check(used.token) != nil)
            service.clock.move(by: 5 * 3_600_000)
            #expect(try await service.check(used.token) != nil)
            #expect(try await service.check(unused.token) == nil)
            service.clock.move(by: 25 * 3_600_000)
            #expect(try await service.check(used.token) == nil)
        }
    }

    @Test("survives a restart")
    func restart() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock())
        var token = ""
        try await RunningAccounts.with(folder: folder.path, clock: clock) {
            token = try await $0.signUp("ann@example.org").token
        }
        try await RunningAccounts.with(folder: folder.path, clock: clock) { service throws in
            #expect(try await service.check(token) != nil)
            #expect(try await service.logIn("ann@example.org").token != token)
        }
    }

    @Test("keeps at most a hundred sessions of an account, those that were used last")
    func many() async throws {
        try await RunningAccounts.with { service in
            let first = try await service.signUp("ann@example.org")
            let account = try #require(first.account?.id)
            for _ in 0..<100 {
                service.clock.move(by: 1)
                let draft = SessionDraft(account, Visitor(address: "", device: ""), service.store)
                try await service.store.database.write { transaction throws(SQLError) in try transaction.begin(draft) }
            }
            #expect(try await service.check(first.token) == nil)
            let list = try await service.accounts.listSessions(ListSessionsRequest(), service.of(account))
            #expect(list.sessions.count == 100)
        }
    }
}
