import Daemon
import EventLoops
import HTTP
import LoginLinks
import RPC
import TLS
import TestSupport
import TestTools
import Testing
import Wire

@testable import Gateway

@Suite("P32 P37 tokens over HTTP", .timeLimit(.minutes(3)))
struct SessionTests {
    private static let token = "0123456789abcdef-token"
    private static let createPin = "/waymark.pins.v1.PinService/CreatePin"

    private static func with(
        isOpen: Bool = false, _ settings: [String] = [], _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("# for the tests\n\n\(token)\nanother-token-0123\n", to: "tokens")
        try await RunningGateway.with(isOpen: isOpen, settings: ["--token-file", file] + settings, body)
    }

    @Test("a token is needed where it is, and a bearer of it is let in")
    func bearer() async throws {
        try await Self.with { gateway in
            let none = try await gateway.http.call(Self.createPin, "{}")
            #expect(none.status == 401 && none.failure?.code == "unauthenticated")
            for header in [
                "Bearer wrong-wrong-wrong-wrong", "Bearer", "Basic \(Self.token)", "Bearer  ", "x",
                "Bearer \(Self.token)x",
            ] {
                let reply = try await gateway.http.call(Self.createPin, "{}", [("Authorization", header)])
                #expect(reply.status == 401, "\(header)")
                #expect(!reply.text.contains("wrong"), "a token is never repeated")
            }
            for header in ["Bearer \(Self.token)", "bearer another-token-0123"] {
                let reply = try await gateway.http.call(Self.createPin, "{}", [("Authorization", header)])
                #expect(reply.text == #"{"pin":{"name":"local"}}"#)
            }
            #expect(try await gateway.http.call(GatewayHTTP.echo, "{}").status == 200, "health and echo are for all")
            #expect(try await gateway.http.ask("GET", "/settings.json").text.contains(#""needsToken":true"#))
        }
    }

    /// What a browser sends after it was let in.
    private static func cookie(_ reply: HTTPReply) throws -> (String, String) {
        ("Cookie", try #require(reply["set-cookie"]?.split(separator: ";").first).description)
    }

    @Test("a browser gets a cookie with a session that no script reads and no other site sends")
    func cookie() async throws {
        try await Self.with { gateway in
            let reply = try await gateway.http.call("/session", #"{"token":"\#(Self.token)"}"#)
            #expect(reply.status == 204)
            let parts = Set(try #require(reply["set-cookie"]).split(separator: "; ").map(String.init))
            #expect(parts.isSuperset(of: ["HttpOnly", "SameSite=Strict", "Path=/"]) && !parts.contains("Secure"))
            let session = try #require(parts.first { $0.hasPrefix("waymark_session=wms_") })
            #expect(!session.contains(Self.token))
            for value in [session, "a=b; \(session); c=d", "x;\(session)"] {
                #expect(try await gateway.http.call(Self.createPin, "{}", [("Cookie", value)]).status == 200)
            }
            for value in [
                "waymark_session=\(Self.token)", "waymark_session=wrong-wrong-wrong-wrong", "other=\(session)",
                "waymark_session", "waymark_session=",
            ] {
                #expect(
                    try await gateway.http.call(Self.createPin, "{}", [("Cookie", value)]).status == 401, "\(value)")
            }
            let left = try await gateway.http.ask("DELETE", "/session", [("Cookie", session)])
            #expect(left.status == 204 && left["set-cookie"]?.hasPrefix("waymark_session=; ") == true)
            #expect(left["set-cookie"]?.contains("Max-Age=0") == true)
            let after = try await gateway.http.call(Self.createPin, "{}", [("Cookie", session)])
            #expect(after.status == 401 && after["set-cookie"] == nil, "it stays until the browser is done with it")
            #expect(try await gateway.http.ask("DELETE", "/session", [("Cookie", session)]).status == 204)
        }
        try await Self.with(["--public-url", "https://map.example.org"]) { gateway in
            let reply = try await gateway.http.call("/session", #"{"token":"\#(Self.token)"}"#)
            let cookie = try #require(reply["set-cookie"])
            #expect(cookie.contains("; Secure") && cookie.hasPrefix("__Host-waymark_session=wms_"))
            // One that a neighbour of the domain could set.
            let plain = String(cookie.split(separator: ";")[0].replacing("__Host-", with: ""))
            #expect(try await gateway.http.call(Self.createPin, "{}", [("Cookie", plain)]).status == 401)
            let own = String(cookie.split(separator: ";")[0])
            #expect(try await gateway.http.call(Self.createPin, "{}", [("Cookie", " \t\(own)")]).status == 200)
            // Browsers take these for other names, which a neighbour may set as well.
            for name in [
                "__Ho st-waymark_session", "__Host -waymark_session", "\u{a0}__Host-waymark_session", "=\(own)",
            ] {
                let strange = name.hasPrefix("=") ? name : own.replacing("__Host-waymark_session", with: name)
                let alone = try await gateway.http.call(Self.createPin, "{}", [("Cookie", strange)])
                #expect(alone.status == 401, "\(name)")
                let before = try await gateway.http.call(
                    Self.createPin, "{}", [("Cookie", "\(strange.replacing("wms_", with: "x")); \(own)")])
                #expect(before.status == 200, "\(name) logs no one out")
            }
        }
    }

    @Test("a browser that logs in again leaves the session that it had")
    func rotation() async throws {
        try await Self.with { gateway in
            let login = #"{"token":"\#(Self.token)"}"#
            let first = try Self.cookie(try await gateway.http.call("/session", login))
            let second = try Self.cookie(try await gateway.http.call("/session", login, [first]))
            #expect(first.1 != second.1)
            #expect(try await gateway.http.call(Self.createPin, "{}", [first]).status == 401)
            #expect(try await gateway.http.call(Self.createPin, "{}", [second]).status == 200)
        }
    }

    @Test("a session that was begun by logging in gets a cookie; one that has ended gets none")
    func loggedIn() async throws {
        try await Self.with { gateway in
            let token = gateway.sessions.begin("ann")
            let cookie = try Self.cookie(try await gateway.http.call("/session", #"{"token":"\#(token)"}"#))
            #expect(try await gateway.http.call(Self.createPin, "{}", [cookie]).text == #"{"pin":{"name":"ann"}}"#)
            gateway.sessions.end(token)
            let other = gateway.sessions.begin("bob")
            gateway.sessions.end(other)
            let refused = try await gateway.http.call("/session", #"{"token":"\#(other)"}"#)
            #expect(refused.status == 401 && refused.text.contains("the session has ended"))
        }
    }

    @Test("when the pin service is away a browser is asked to try again, and keeps its cookie")
    func away() async throws {
        try await Self.with { gateway in
            let token = gateway.sessions.begin("ann")
            gateway.sessions.setAway(true)
            let cookie = ("Cookie", "waymark_session=\(token)")
            let reply = try await gateway.http.call(Self.createPin, "{}", [cookie])
            #expect(reply.status == 503 && reply["set-cookie"] == nil)
            let login = try await gateway.http.call("/session", #"{"token":"\#(Self.token)"}"#)
            #expect(login.status == 503 && login["set-cookie"] == nil)
            gateway.sessions.setAway(false)
            #expect(try await gateway.http.call(Self.createPin, "{}", [cookie]).status == 200)
        }
    }

    @Test("at a door that speaks TLS the cookie goes by TLS only")
    func secureCookie() async throws {
        let certificates = try TestCertificates.shared.get()
        let files = [
            "--http-tls-certificate", certificates.server.certificate, "--http-tls-key", certificates.server.key,
        ]
        let browser = try TLSContext(.client, .init(authorities: certificates.authority), for: .web)
        try await Self.with(files) { gateway in
            let socket = try await HTTPSocket(connectingTo: gateway.http.port, tls: browser)
            let login = Array(#"{"token":"\#(Self.token)"}"#.utf8)
            let reply = try await socket.ask("POST", "/session", [GatewayHTTP.json], body: login)
            #expect(reply.status == 204 && reply["set-cookie"]?.contains("; Secure") == true)
        }
    }

    @Test("a password for a proxy in front is nobody's token: the cookie counts, or open mode")
    func proxyPassword() async throws {
        let password = [("Authorization", "Basic dXNlcjpwYXNzd29yZA==")]
        try await Self.with { gateway throws in
            let cookie = [("Cookie", "waymark_session=\(gateway.sessions.begin("ann"))")]
            #expect(try await gateway.http.call(Self.createPin, "{}", password + cookie).status == 200)
            #expect(try await gateway.http.call(Self.createPin, "{}", password).status == 401)
        }
        try await RunningGateway.with { gateway throws in
            #expect(try await gateway.http.call(Self.createPin, "{}", password).status == 200)
        }
    }

    @Test("a wrong token gets no cookie, and a request that is none is refused")
    func refused() async throws {
        try await Self.with { gateway in
            let wrong = try await gateway.http.call("/session", #"{"token":"wrong-wrong-wrong-wrong"}"#)
            #expect(wrong.status == 401 && wrong["set-cookie"] == nil)
            for body in ["", "{}", "[]", #"{"token":7}"#, "x"] {
                #expect(try await gateway.http.call("/session", body).status == 400, "\(body)")
            }
            // Forms of other sites can send these without asking first.
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
                let reply = try await gateway.http.ask(
                    "POST", "/session", [("Content-Type", type)], body: Array(#"{"token":"\#(Self.token)"}"#.utf8))
                #expect(reply.status == 415)
            }
            #expect(try await gateway.http.ask("GET", "/session")["allow"] == "POST, DELETE")
        }
    }

    /// Runs `body` against a gateway with the folder in which it finds its links.
    private static func withLinks(_ body: (RunningGateway, LoginLinks, TemporaryFolder) async throws -> Void)
        async throws
    {
        let folder = TemporaryFolder()
        try await with(["--data", folder.path]) { gateway in
            try await body(gateway, LoginLinks(gatewayData: folder.path), folder)
        }
    }

    private static var now: Int64 { WallClock.system.unixMilliseconds }

    @Test("a link gets the cookie of its token once, whichever gateway is asked")
    func link() async throws {
        try await Self.withLinks { gateway, links, folder in
            let secret = try links.make(for: Self.token, at: Self.now)
            let login = #"{"link":"\#(secret)"}"#
            let reply = try await gateway.http.call("/session", login)
            #expect(reply.status == 204)
            let cookie = try #require(reply["set-cookie"]?.split(separator: ";").first).description
            #expect(try await gateway.http.call(Self.createPin, "{}", [("Cookie", cookie)]).status == 200)
            let again = try await gateway.http.call("/session", login)
            #expect(again.status == 401 && again["set-cookie"] == nil)
            #expect(again.text.contains("used, or is older than ten minutes"))
            // One that was started later.
            try await Self.with(["--data", folder.path]) { other throws in
                #expect(try await other.http.call("/session", login).status == 401)
            }
        }
    }

    @Test("of many who use a link at once one is let in")
    func race() async throws {
        try await Self.withLinks { gateway, links, _ in
            let login = #"{"link":"\#(try links.make(for: Self.token, at: Self.now))"}"#
            let http = gateway.http
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await http.call("/session", login).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }.sorted()
            }
            #expect(statuses == [204] + Array(repeating: 401, count: 7))
        }
    }

    @Test("a link that is too old, guessed, or of a token that is no longer let in is refused")
    func badLink() async throws {
        try await Self.withLinks { gateway, links, _ in
            let old = try links.make(for: Self.token, at: Self.now - LoginLinks.life)
            let former = try links.make(for: "a-former-token-0123", at: Self.now)
            for secret in [old, former, "AAAAAAAAAAAAAAAAAAAAAA", "", "../tokens", String(repeating: "A", count: 4000)]
            {
                let reply = try await gateway.http.call("/session", #"{"link":"\#(secret)"}"#)
                #expect(reply.status == 401 && reply["set-cookie"] == nil, "\(secret)")
            }
            let good = try links.make(for: Self.token, at: Self.now)
            for body in [#"{"link":"\#(good)","token":"\#(Self.token)"}"#, #"{"link":7}"#, #"{"link":null}"#] {
                #expect(try await gateway.http.call("/session", body).status == 400, "\(body)")
            }
            #expect(try await gateway.http.call("/session", #"{"link":"\#(good)"}"#).status == 204)
        }
    }

    @Test("a link stays good when the gateway is too busy to use it up")
    func busy() async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let blocking = BlockingPool(threadCount: 1)
        blocking.close()
        let links = LoginLinks(gatewayData: folder.path)
        let secret = try links.make(for: Self.token, at: Self.now)
        try await RunningGateway.with { gateway in
            let session = SessionCookie(
                tokens: .none, sessions: gateway.known, isSecure: false, links: links, blocking: blocking)
            let request = HTTPRequest(
                method: "POST", path: "/session", headers: [("Content-Type", "application/json")],
                body: Array(#"{"link":"\#(secret)"}"#.utf8))
            let caller = Caller(request, session, client: request.client, maximumTimeout: .seconds(10))
            let error = try await errorOf { try await session.respond(to: request, caller) }
            #expect(error?.code == .unavailable && error?.details?.retryAfterMs == 1000)
        }
        #expect(try links.use(secret, at: Self.now) == Self.token)
    }

    @Test("in open mode a cookie that is left from elsewhere does no harm; a token that is shown has to be right")
    func staleCookie() async throws {
        try await RunningGateway.with { gateway throws in
            let stale = [("Cookie", "waymark_session=\(Self.token)")]
            #expect(try await gateway.http.call(Self.createPin, "{}", stale).status == 200)
            let shown = [("Authorization", "Bearer \(Self.token)")]
            #expect(try await gateway.http.call(Self.createPin, "{}", shown).status == 401)
        }
    }

    @Test(
        "a file of tokens that is none is refused at the start",
        arguments: [
            "", "# nothing\n", "short\n", "with space in the middle äöü\n", "\(String(repeating: "x", count: 257))\n",
        ])
    func badFile(text: String) async throws {
        let folder = TemporaryFolder()
        let file = try folder.write(text, to: "tokens")
        await #expect(throws: (any Error).self) {
            try await RunningGateway.with(settings: ["--token-file", file]) { _ in }
        }
    }
}
