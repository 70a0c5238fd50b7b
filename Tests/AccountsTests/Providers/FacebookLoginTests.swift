import AccountContracts
import RPC
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P31 Facebook's login in a browser, at a simulator of it", .timeLimit(.minutes(2)))
struct FacebookLoginTests {
    private static let facebook = #""preset":"facebook","graph_url":"BASE/graph","sign_up":true"#

    /// What Facebook says of a person: an address, and nothing of whether it is confirmed.
    private static func with(_ members: String, _ body: (ProviderVisit) async throws -> Void) async throws {
        try await ProviderVisit.with(members) { visit in
            visit.simulator.change {
                $0.isFacebook = true
                $0.namesIssuer = false
                $0.claims["email_verified"] = .some(nil)
            }
            try await body(visit)
        }
    }

    @Test("goes by the Graph's endpoint for tokens, with the app's secret in the form, and PKCE")
    func logIn() async throws {
        try await Self.with(Self.facebook + #","trust_email":true"#) { visit in
            let session = try await visit.logIn()
            #expect(session.account?.email == "ann@example.org")
            #expect(try await visit.service.check(session.token)?.account == session.account?.id)
            // Whom the older token of the Graph names by the same id is the same person.
            visit.simulator.change {
                $0.claims["sub"] = #""1234""#
                $0.claims["email"] = #""bob@example.org""#
            }
            let again = try await visit.logIn()
            #expect(again.account?.id != session.account?.id)
            let graph = LogInWithTokenRequest(provider: "home", accessToken: "good")
            let byGraph = try await visit.service.providers.logInWithToken(graph, visit.service.from()).session
            #expect(byGraph?.account?.id == again.account?.id)
        }
    }

    @Test("makes no account of an address that it does not confirm, but links the identity of who is logged in")
    func unconfirmed() async throws {
        try await Self.with(Self.facebook) { visit async throws in
            #expect(try await errorOf { try await visit.logIn() }?.code == .failedPrecondition)
            let session = try await visit.service.signUp("bob@example.org")
            #expect(try await visit.link(session).name == "Ann Tester")
            #expect(try await visit.logIn().account?.id == session.account?.id)
        }
    }

    @Test("with a wrong secret, or of who does not agree, begins no session")
    func refused() async throws {
        try await Self.with(Self.facebook) { visit async throws in
            visit.simulator.change { $0.denies = true }
            let denied = try await errorOf { try await visit.logIn() }
            #expect(denied?.code == .permissionDenied)
            visit.simulator.change { ($0.denies, $0.isFacebook) = (false, false) }
            // It takes another proof of the client now.
            let wrong = try await errorOf { try await visit.logIn() }
            #expect(wrong?.code == .unauthenticated)
        }
    }
}
