import AccountContracts
import RPC
import Storage
import TestKeys
import TestSupport
import TestTools
import Testing
import Wire

@testable import Accounts

@Suite("P31 logging out at a provider", .timeLimit(.minutes(2)))
struct ProviderLogOutTests {
    private static func end(_ visit: ProviderVisit, _ token: String, provider: String = "home") async throws {
        let request = EndProviderSessionsRequest(provider: provider, logoutToken: token)
        _ = try await visit.service.providers.endProviderSessions(request, visit.service.from("203.0.113.7"))
    }

    private static func isThere(_ session: NewSession, _ visit: ProviderVisit) async throws -> Bool {
        try await visit.service.check(session.token) != nil
    }

    /// A login for which the provider has a session of its own.
    private static func logIn(_ visit: ProviderVisit, session: String? = nil) async throws -> NewSession {
        visit.simulator.change { $0.claims["sid"] = .some(session.map { "\"\($0)\"" }) }
        let begun = try await visit.logIn()
        visit.simulator.change { $0.claims["sid"] = nil }
        return begun
    }

    @Test("ends all sessions of the person that were begun there, and no others; the owner reads of it")
    func person() async throws {
        try await ProviderVisit.with { visit in
            let (first, second) = (try await Self.logIn(visit, session: "s-1"), try await Self.logIn(visit))
            let other = try await visit.service.signUp("bob@example.org")
            visit.simulator.change {
                $0.claims["sub"] = #""u-2""#
                $0.claims["email"] = #""cleo@example.org""#
            }
            let stranger = try await Self.logIn(visit)
            visit.simulator.change { $0.claims["sub"] = #""u-1""# }
            try await Self.end(visit, try visit.simulator.logoutToken(id: "j-1"))
            for session in [first, second] { #expect(try await !Self.isThere(session, visit)) }
            for session in [other, stranger] { #expect(try await Self.isThere(session, visit)) }
            let owner = visit.service.of(try #require(first.account?.id))
            let events = try await visit.service.accounts.listSecurityEvents(ListSecurityEventsRequest(), owner).events
            let ended = events.filter { $0.kind == .providerLoggedOut }
            #expect(ended.map(\.device) == ["home", "home"])
        }
    }

    @Test("ends the one session that it names, if it is that person's")
    func session() async throws {
        try await ProviderVisit.with { visit in
            let (first, second) = (
                try await Self.logIn(visit, session: "s-1"), try await Self.logIn(visit, session: "s-2")
            )
            let foreign = try visit.simulator.logoutToken(id: "j-1", ["sub": #""u-2""#, "sid": #""s-1""#])
            try await Self.end(visit, foreign)
            #expect(try await Self.isThere(first, visit))
            try await Self.end(visit, try visit.simulator.logoutToken(id: "j-2", ["sid": #""s-1""#]))
            #expect(try await !Self.isThere(first, visit))
            #expect(try await Self.isThere(second, visit))
            try await Self.end(visit, try visit.simulator.logoutToken(id: "j-3", ["sub": nil, "sid": #""s-2""#]))
            #expect(try await !Self.isThere(second, visit))
        }
    }

    @Test("does nothing another time, so that what is sent again ends no later session")
    func replay() async throws {
        try await ProviderVisit.with { visit in
            let token = try visit.simulator.logoutToken(id: "j-1")
            try await Self.end(visit, token)
            visit.simulator.change { $0.now += 1 }
            let later = try await Self.logIn(visit)
            try await Self.end(visit, token)
            #expect(try await Self.isThere(later, visit))
        }
    }

    @Test("a proof from before it logs no one in after it, neither in a browser nor in an app")
    func before() async throws {
        try await ProviderVisit.with(#""sign_up":true,"app_audiences":["app-1"]"#) { visit in
            let nonce = "0123456789abcdef"
            let token = try visit.simulator.token(audience: "app-1", ["nonce": "\"\(nonce)\""])
            let back = try await visit.agree(at: try await visit.begin())
            try await Self.end(visit, try visit.simulator.logoutToken(audience: "app-1", id: "j-1"))
            let inBrowser = try await errorOf { try await visit.finish(back) }
            #expect(inBrowser?.code == .unauthenticated)
            #expect(inBrowser?.message.contains("you have logged out at Home since") == true)
            let app = LogInWithTokenRequest(provider: "home", idToken: token, nonce: nonce)
            let inApp = try await errorOf {
                try await visit.service.providers.logInWithToken(app, visit.service.from())
            }
            #expect(inApp?.code == .unauthenticated)
            visit.simulator.change { $0.now += 1 }
            #expect(try await visit.logIn().account != nil)
        }
    }

    @Test("counts only when the provider has signed it, for this program, as a log-out")
    func refused() async throws {
        try await ProviderVisit.with { visit in
            let session = try await Self.logIn(visit)
            let good = try visit.simulator.logoutToken(id: "j-1")
            let parts = good.split(separator: ".")
            for token in [
                try visit.simulator.logoutToken(audience: "another", id: "j"),
                try visit.simulator.logoutToken(id: "j", ["iss": #""https://evil.example""#]),
                try visit.simulator.logoutToken(id: "j", ["nonce": #""n""#]),
                try visit.simulator.logoutToken(id: "j", ["events": "{}"]),
                try visit.simulator.logoutToken(id: "j", ["iat": "1"]),
                try visit.simulator.logoutToken(id: "j", ["jti": nil]),
                try visit.simulator.token(audience: "waymark"), "eyJhbGciOiJub25lIn0.\(parts[1]).",
                try SigningKey(.p256).token(#"{"iss":"\#(visit.simulator.base)"}"#), "x",
            ] {
                #expect(try await errorOf { try await Self.end(visit, token) }?.code == .unauthenticated)
            }
            #expect(try await Self.isThere(session, visit))
            try await Self.end(visit, good)
            #expect(try await !Self.isThere(session, visit))
        }
    }

    @Test("fields are refused by their names, and guessing ends")
    func guessing() async throws {
        try await ProviderVisit.with { visit in
            for (token, provider, field) in [
                ("", "home", "logout_token"), (String(repeating: "a", count: 16_385), "home", "logout_token"),
                ("x", "other", "provider"), ("x", "", "provider"),
            ] {
                let error = try await errorOf { try await Self.end(visit, token, provider: provider) }
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix("\(field): ") == true)
            }
            for _ in 0..<50 {
                #expect(try await errorOf { try await Self.end(visit, "x") }?.code == .unauthenticated)
            }
            #expect(try await errorOf { try await Self.end(visit, "x") }?.code == .resourceExhausted)
        }
    }

    @Test("can be sent again where the provider's keys could not be had, and is forgotten after a day")
    func away() async throws {
        try await ProviderVisit.with { visit in
            visit.simulator.change { $0.isAway = true }
            let token = try visit.simulator.logoutToken(id: "j-1")
            #expect(try await errorOf { try await Self.end(visit, token) }?.code == .unavailable)
            visit.simulator.change { $0.isAway = false }
            visit.service.clock.move(by: 31_000)
            try await Self.end(visit, token)
            visit.service.clock.move(by: 86_400_000)
            await visit.service.store.deleteExpired()
            let count = try await visit.service.store.database.read { transaction throws(SQLError) in
                try transaction.first("SELECT count(*) FROM provider_log_outs") { row throws(SQLError) in
                    try row.integer(0)
                }
            }
            #expect(count == 0)
        }
    }
}
