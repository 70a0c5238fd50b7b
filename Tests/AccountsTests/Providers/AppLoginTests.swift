import AccountContracts
import Crypto
import RPC
import TestKeys
import TestSupport
import TestTools
import Testing
import Wire

@testable import Accounts

@Suite("P31 apps that log in with a token", .timeLimit(.minutes(2)))
struct AppLoginTests {
    private static let nonce = "0123456789abcdef"
    private static let apps = #""sign_up":true,"app_audiences":["app-1","app-2"]"#

    private static func logIn(
        _ visit: ProviderVisit, _ token: String, nonce: String = nonce
    ) async throws -> NewSession {
        let request = LogInWithTokenRequest(provider: "home", idToken: token, nonce: nonce, device: "An app")
        let answer = try await visit.service.providers.logInWithToken(request, visit.service.from())
        return try #require(answer.session)
    }

    @Test("an ID token for a listed app logs in, once")
    func once() async throws {
        try await ProviderVisit.with(Self.apps) { visit in
            let token = try visit.simulator.token(audience: "app-2", ["nonce": "\"\(Self.nonce)\""])
            #expect(try await Self.logIn(visit, token).account?.email == "ann@example.org")
            #expect(try await errorOf { try await Self.logIn(visit, token) }?.code == .unauthenticated)
            // Nor does another token with the same nonce: signatures can be written in two ways.
            let other = try visit.simulator.token(
                audience: "app-2", ["nonce": "\"\(Self.nonce)\"", "jti": #""another""#])
            #expect(try await errorOf { try await Self.logIn(visit, other) }?.code == .unauthenticated)
        }
    }

    @Test("of many calls at once with one token a single one is let in")
    func race() async throws {
        try await ProviderVisit.with(Self.apps) { visit in
            let token = try visit.simulator.token(audience: "app-1", ["nonce": "\"\(Self.nonce)\""])
            let codes = try await concurrently(0..<8) { _ in
                try await errorOf { try await Self.logIn(visit, token) }?.code
            }
            #expect(codes.filter { $0 == nil }.count == 1)
        }
    }

    @Test("a token for this program's pages, for another app, of another nonce or by another key does not")
    func refused() async throws {
        try await ProviderVisit.with(Self.apps) { visit in
            let nonce = "\"\(Self.nonce)\""
            let good = try visit.simulator.token(audience: "app-1", ["nonce": nonce])
            let parts = good.split(separator: ".")
            for token in [
                try visit.simulator.token(audience: "waymark", ["nonce": nonce]),
                try visit.simulator.token(audience: "app-3", ["nonce": nonce]),
                try visit.simulator.token(audience: "app-1", ["nonce": #""another-nonce-16""#]),
                try visit.simulator.token(audience: "app-1"),
                try visit.simulator.token(audience: "app-1", ["nonce": nonce, "exp": "1"]),
                try visit.simulator.token(audience: "app-1", ["nonce": nonce, "iss": #""https://evil.example""#]),
                try SigningKey.shared("ES256").token(#"{"iss":"x"}"#), "eyJhbGciOiJub25lIn0.\(parts[1]).",
                "\(parts[0]).\(parts[1]).\(parts[2].reversed().map(String.init).joined())", "x",
            ] {
                #expect(try await errorOf { try await Self.logIn(visit, token) }?.code == .unauthenticated)
            }
            // The digest of the nonce is a form of it.
            let digest = SHA256.text(Self.nonce)
            let hashed = try visit.simulator.token(audience: "app-1", ["nonce": "\"\(digest)\""])
            #expect(try await Self.logIn(visit, hashed).account != nil)
        }
    }

    @Test("fields are refused by their names")
    func fields() async throws {
        try await ProviderVisit.with(Self.apps) { visit in
            for (request, field) in [
                (LogInWithTokenRequest(), "provider"), (LogInWithTokenRequest(provider: "other"), "provider"),
                (LogInWithTokenRequest(provider: "home"), "id_token"),
                (LogInWithTokenRequest(provider: "home", idToken: "a", nonce: "b", accessToken: "c"), "id_token"),
                (LogInWithTokenRequest(provider: "home", idToken: "a", nonce: "short"), "nonce"),
                (LogInWithTokenRequest(provider: "home", idToken: String(repeating: "a", count: 16_385)), "id_token"),
                (
                    LogInWithTokenRequest(provider: "home", accessToken: String(repeating: "a", count: 2_049)),
                    "access_token"
                ),
            ] {
                let error = try await errorOf {
                    try await visit.service.providers.logInWithToken(request, visit.service.from())
                }
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix("\(field): ") == true)
            }
        }
    }

    @Test("without listed apps no token does, and guessing ends")
    func none() async throws {
        try await ProviderVisit.with { visit in
            let token = try visit.simulator.token(audience: "waymark", ["nonce": "\"\(Self.nonce)\""])
            for _ in 0..<50 {
                #expect(try await errorOf { try await Self.logIn(visit, token) }?.code == .unauthenticated)
            }
            #expect(try await errorOf { try await Self.logIn(visit, token) }?.code == .resourceExhausted)
        }
    }
}

@Suite("P31 Facebook's older tokens", .timeLimit(.minutes(2)))
struct GraphTokenTests {
    private static let facebook =
        #""preset":"facebook","graph_url":"BASE/graph","sign_up":true,"trust_email":true"#

    private static func logIn(_ visit: ProviderVisit, _ token: String) async throws -> NewSession {
        let request = LogInWithTokenRequest(provider: "home", accessToken: token)
        let answer = try await visit.service.providers.logInWithToken(request, visit.service.from())
        return try #require(answer.session)
    }

    @Test("count when the Graph says that they are for our own app")
    func app() async throws {
        try await ProviderVisit.with(Self.facebook) { visit async throws in
            #expect(try await Self.logIn(visit, "good").account?.email == "ann@example.org")
            #expect(try await errorOf { try await Self.logIn(visit, "bad") }?.code == .unauthenticated)
            visit.simulator.change { $0.graphApp = "another app" }
            let error = try await errorOf { try await Self.logIn(visit, "good") }
            #expect(error?.code == .unauthenticated && error?.message.contains("another app") == true)
            visit.simulator.change { $0.isAway = true }
            #expect(try await errorOf { try await Self.logIn(visit, "good") }?.code == .unavailable)
        }
    }

    @Test("are no ID tokens of other providers")
    func others() async throws {
        try await ProviderVisit.with { visit async throws in
            #expect(try await errorOf { try await Self.logIn(visit, "good") }?.code == .unauthenticated)
        }
    }
}
