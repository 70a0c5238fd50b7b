import AccountContracts
import Crypto
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P31 logging in with a provider", .timeLimit(.minutes(2)))
struct ProviderLoginTests {
    @Test(
        "makes an account once, and finds it again by the issuer and the subject alone", arguments: ["RS256", "ES256"])
    func logIn(algorithm: String) async throws {
        try await ProviderVisit.with { visit in
            visit.simulator.change { $0.algorithm = algorithm }
            let first = try await visit.logIn()
            #expect(first.account?.email == "ann@example.org" && first.account?.roles == [.user])
            #expect(try await visit.service.check(first.token)?.account == first.account?.id)
            // The address at the provider is another one now.
            visit.simulator.change { $0.claims["email"] = #""else@example.org""# }
            let again = try await visit.logIn()
            #expect(again.account?.id == first.account?.id && again.account?.email == "ann@example.org")
            // Someone else has the address now: another account, and never the first one's.
            visit.simulator.change {
                $0.claims["sub"] = #""u-2""#
                $0.claims["email"] = #""Ann@example.org""#
            }
            let error = try await errorOf { try await visit.logIn() }
            #expect(error?.code == .alreadyExists)
            #expect(error?.message.contains("log in to it, and link Home there") == true)
        }
    }

    @Test("lists the providers, and whether there are passwords")
    func list() async throws {
        try await ProviderVisit.with { visit in
            let answer = try await visit.service.providers.listProviders(ListProvidersRequest(), visit.service.from())
            #expect(answer.providers == [LoginProvider(name: "home", label: "Home")] && answer.passwordLogin)
        }
    }

    @Test("keeps nothing by which a login that is under way could be ended")
    func kept() async throws {
        try await ProviderVisit.with { visit in
            let address = try await visit.begin()
            let back = try await visit.agree(at: address)
            let kept = try await visit.service.store.database.read { transaction throws(SQLError) in
                try transaction.rows("SELECT state, browser, former FROM pending_logins") { row throws(SQLError) in
                    [try row.blob(0), try row.blob(1), try row.blob(2)]
                }
            }
            #expect(
                kept == [[SHA256.digest(Array(back.state.utf8)), SHA256.digest(Array(back.browser.utf8)), []]])
        }
    }

    @Test("ends the session that the browser had before")
    func former() async throws {
        try await ProviderVisit.with { visit in
            let old = try await visit.service.signUp("bob@example.org")
            let digest = SHA256.digest(Array(old.token.utf8))
            let back = try await visit.agree(at: try await visit.begin(former: digest))
            #expect(try await visit.service.check(old.token) != nil)
            _ = try await visit.finish(back)
            #expect(try await visit.service.check(old.token) == nil)
        }
    }

    @Test("ends once, within ten minutes, in the browser in which it was begun")
    func pending() async throws {
        try await ProviderVisit.with { visit in
            let back = try await visit.agree(at: try await visit.begin())
            for (field, change) in [
                ("state", { $0.browser = String(repeating: "c", count: 43) }),
                ("state", { $0.state = String($0.state.dropLast()) }),
                ("browser", { $0.browser = "" }), ("browser", { $0.browser = "short" }), ("state", { $0.state = "" }),
                ("provider", { $0.provider = "other" }), ("provider", { $0.provider = "" }),
            ] as [(String, (inout FinishLoginRequest) -> Void)] {
                var request = back
                change(&request)
                let error = try await errorOf { try await visit.finish(request) }
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix("\(field): ") == true)
            }
            // None of these has ended it.
            #expect(try await visit.finish(back).session != nil)
            let replayed = try await errorOf { try await visit.finish(back) }
            #expect(replayed?.message.contains("this login is not known") == true)
            let late = try await visit.agree(at: try await visit.begin())
            visit.service.clock.move(by: 600_000)
            #expect(try await errorOf { try await visit.finish(late) }?.code == .invalidArgument)
        }
    }

    @Test("is not mixed up with another provider's, nor another login's")
    func mixUp() async throws {
        try await ProviderVisit.with { visit in
            for issuer in ["https://evil.example", ""] {
                var back = try await visit.agree(at: try await visit.begin())
                back.issuer = issuer
                let error = try await errorOf { try await visit.finish(back) }
                #expect(error?.code == .invalidArgument && error?.message.contains("iss: ") == true)
            }
            // The code of another login: its verifier is not this one's, nor its nonce.
            let (victim, attacker) = (
                try await visit.agree(at: try await visit.begin()), try await visit.agree(at: try await visit.begin())
            )
            var mixed = victim
            mixed.code = attacker.code
            #expect(try await errorOf { try await visit.finish(mixed) }?.code == .unauthenticated)
        }
    }

    @Test("is refused when the person does not agree, or the token lies")
    func refused() async throws {
        try await ProviderVisit.with { visit in
            visit.simulator.change { $0.denies = true }
            #expect(try await errorOf { try await visit.logIn() }?.code == .permissionDenied)
            visit.simulator.change { $0.denies = false }
            let now: Int64 = 1_700_000_000
            for (name, claim, words) in [
                ("nonce", #""another""#, "nonce"), ("aud", #""another""#, "aud"),
                ("iss", #""http://127.0.0.1""#, "iss"),
                ("exp", "\(now - 91)", "exp"), ("iat", "\(now + 100)", "iat"), ("sub", "7", "sub"),
            ] {
                visit.simulator.change { $0.claims[name] = claim }
                let error = try await errorOf { try await visit.logIn() }
                #expect(error?.code == .unauthenticated && error?.message.contains("\(words): ") == true)
                visit.simulator.change { $0.claims[name] = name == "sub" ? .some(#""u-1""#) : .none }
            }
            // A clock that is a minute ahead does no harm.
            visit.simulator.change { $0.now = now + 60 }
            #expect(try await visit.logIn().account?.email == "ann@example.org")
            let count = try await visit.service.store.database.read { transaction throws(SQLError) in
                try transaction.first("SELECT count(*) FROM accounts") { row throws(SQLError) in try row.integer(0) }
            }
            #expect(count == 1)
        }
    }

    @Test("goes on when the provider has other keys, and says when it is away")
    func rotation() async throws {
        try await ProviderVisit.with { visit in
            _ = try await visit.logIn()
            visit.service.clock.move(by: 31_000)
            visit.simulator.change { ($0.algorithm, $0.keyID, $0.now) = ("ES256", "k2", $0.now + 31) }
            #expect(try await visit.logIn().account != nil)
            let back = try await visit.agree(at: try await visit.begin())
            visit.simulator.change { $0.isAway = true }
            let error = try await errorOf { try await visit.finish(back) }
            #expect(error?.code == .unavailable && error?.message.contains("127.0.0.1") == false)
        }
    }

    @Test("makes an account of a confirmed e-mail address alone")
    func unconfirmed() async throws {
        for (claims, members, code) in [
            (["email_verified": "false"], #""sign_up":true"#, RPCCode.failedPrecondition),
            (["email_verified": #""true""#], #""sign_up":true"#, .failedPrecondition),
            (["email": #""no address""#], #""sign_up":true"#, .failedPrecondition),
            (["email_verified": "false"], #""sign_up":true,"trust_email":true"#, nil),
            ([:], #""sign_up":false"#, .notFound),
        ] as [([String: String], String, RPCCode?)] {
            try await ProviderVisit.with(members) { visit async throws in
                visit.simulator.change { $0.claims.merge(claims.mapValues { .some($0) }) { $1 } }
                #expect(try await errorOf { try await visit.logIn() }?.code == code)
            }
        }
    }

    @Test("asks userinfo for what the token lacks, and believes only what is of the same person")
    func userInfo() async throws {
        try await ProviderVisit.with { visit async throws in
            visit.simulator.change {
                $0.claims["email"] = .some(nil)
                $0.userInfo = #"{"sub":"u-2","email":"bob@example.org","email_verified":true}"#
            }
            #expect(try await errorOf { try await visit.logIn() }?.code == .unauthenticated)
            visit.simulator.change {
                $0.userInfo = #"{"sub":"u-1","email":"ada@example.org","email_verified":true}"#
            }
            #expect(try await visit.logIn().account?.email == "ada@example.org")
        }
    }

    @Test("of a locked account begins no session")
    func locked() async throws {
        try await ProviderVisit.with { visit in
            _ = try await visit.logIn()
            _ = try await visit.service.signUp("root@example.org")
            let roles = SetRolesRequest(email: "root@example.org", roles: [.user, .admin])
            _ = try await visit.service.administration.setRoles(roles, visit.service.ofAdministrator)
            let lock = LockAccountRequest(email: "ann@example.org", locked: true)
            _ = try await visit.service.administration.lockAccount(lock, visit.service.ofAdministrator)
            #expect(try await errorOf { try await visit.logIn() }?.code == .unauthenticated)
        }
    }

    @Test("can be begun a hundred times at an address without ending, and what did not end is forgotten")
    func storm() async throws {
        try await ProviderVisit.with { visit in
            for _ in 0..<100 { _ = try await visit.begin() }
            #expect(try await errorOf { try await visit.begin() }?.code == .resourceExhausted)
            visit.service.clock.move(by: 600_000)
            visit.simulator.change { $0.now += 600 }
            await visit.service.store.deleteExpired()
            let count = try await visit.service.store.database.read { transaction throws(SQLError) in
                try transaction.first("SELECT count(*) FROM pending_logins") { row throws(SQLError) in
                    try row.integer(0)
                }
            }
            #expect(count == 0)
            #expect(try await visit.logIn().account != nil)
        }
    }

    @Test("with passwords off there is no other way in, and none to sign up")
    func noPasswords() async throws {
        try await ProviderVisit.with(takesPasswords: false) { visit in
            #expect(try await visit.logIn().account?.email == "ann@example.org")
            #expect(try await errorOf { try await visit.service.logIn("ann@example.org") }?.code == .failedPrecondition)
            #expect(
                try await errorOf { try await visit.service.signUp("bob@example.org") }?.code == .failedPrecondition)
            let reset = ResetPasswordRequest(code: "AAAAA-AAAAA", password: RunningAccounts.password)
            let error = try await errorOf {
                try await visit.service.accounts.resetPassword(reset, visit.service.from())
            }
            #expect(error?.code == .failedPrecondition)
            let answer = try await visit.service.providers.listProviders(ListProvidersRequest(), visit.service.from())
            #expect(!answer.passwordLogin)
        }
    }
}
