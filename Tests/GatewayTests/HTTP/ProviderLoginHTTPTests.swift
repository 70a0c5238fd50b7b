import Contracts
import HTTP
import TestSupport
import TestTools
import Testing

@testable import Gateway

@Suite("P31 logging in with a provider over HTTP", .timeLimit(.minutes(3)))
struct ProviderLoginHTTPTests {
    private static let host = ("Host", "map.example.org")
    private static let path = "/session/provider/home"
    private static let token = "0123456789abcdef-token"

    private static func with(
        _ backends: FakeBackends = FakeBackends(), publicURL: String = "https://map.example.org",
        _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.write("\(token)\n", to: "tokens")
        try await RunningGateway.with(
            backends, isOpen: false, settings: ["--token-file", file, "--public-url", publicURL], body)
    }

    /// What a browser sends back of the cookie that it got.
    private static func cookie(_ reply: HTTPReply) throws -> (String, String) {
        ("Cookie", try #require(reply["set-cookie"]?.split(separator: ";").first).description)
    }

    @Test("sends the browser away and takes it back with a session, bound by a cookie of its own")
    func whole() async throws {
        let backends = FakeBackends()
        try await Self.with(backends) { gateway in
            let begun = try await gateway.http.ask("GET", Self.path, [Self.host, ("User-Agent", "Firefox")])
            #expect(begun.status == 303 && begun["location"] == FakeProviderLogins.address)
            #expect(begun["cache-control"] == "no-store" && begun["referrer-policy"] == "no-referrer")
            let parts = try #require(begun["set-cookie"]).split(separator: "; ").map(String.init)
            #expect(Set(parts).isSuperset(of: ["Path=/", "HttpOnly", "SameSite=Lax", "Secure", "Max-Age=600"]))
            let secret = try #require(parts.first?.split(separator: "=").last).description
            #expect(parts.first == "__Host-waymark_login=\(secret)" && secret.utf8.count == 43)
            #expect(backends.providerLogins.begins.map(\.browser) == [secret])
            #expect(backends.providerLogins.begins.map(\.device) == ["Firefox"])
            let back = try await gateway.http.ask(
                "GET", "\(Self.path)/callback?state=s&code=good&iss=https%3A%2F%2Fid.example.org",
                [
                    Self.host, try Self.cookie(begun), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
                ])
            #expect(back.status == 303 && back["location"] == "/#/provider/home/done")
            let request = try #require(backends.providerLogins.finishes.first)
            #expect(request.browser == secret && request.state == "s" && request.code == "good")
            #expect(request.issuer == "https://id.example.org" && request.provider == "home")
            let cookies = back.fields.filter { $0.name == "set-cookie" }.map(\.value)
            #expect(cookies.contains { $0.hasPrefix("__Host-waymark_login=; ") && $0.contains("Max-Age=0") })
            let session = try #require(cookies.first { $0.hasPrefix("__Host-waymark_session=wms_") })
            #expect(session.contains("SameSite=Strict") && session.contains("HttpOnly"))
            #expect(back["referrer-policy"] == "no-referrer")
        }
    }

    @Test("tells the pin service which session ends, and begins none for a page of another site")
    func begins() async throws {
        let backends = FakeBackends()
        let former = backends.sessions.begin("bob")
        try await Self.with(backends) { gateway in
            let cookie = ("Cookie", "__Host-waymark_session=\(former)")
            for site in ["cross-site", "same-site"] {
                let reply = try await gateway.http.ask(
                    "GET", Self.path, [Self.host, ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate")])
                #expect(reply.status == 303 && reply["location"] == "/#/provider/home/foreign")
            }
            let elsewhere = try await gateway.http.ask("GET", Self.path, [("Host", "127.0.0.1")])
            #expect(elsewhere["location"] == "/#/provider/home/elsewhere")
            #expect(backends.providerLogins.begins.isEmpty)
            _ = try await gateway.http.ask("GET", Self.path, [Self.host, cookie, ("Sec-Fetch-Site", "same-origin")])
            #expect(backends.providerLogins.begins.map(\.formerSession) == [FakeSessions.digest(former)])
        }
    }

    @Test("without the cookie, with two of it, or with a parameter twice, nothing comes back")
    func foreign() async throws {
        let backends = FakeBackends()
        try await Self.with(backends) { gateway in
            let begun = try await gateway.http.ask("GET", Self.path, [Self.host])
            let good = try Self.cookie(begun)
            for (query, cookies) in [
                ("state=s&code=good", []), ("state=s&code=good", [("Cookie", "waymark_login=\(good.1.suffix(43))")]),
                ("state=s&code=good", [good, ("Cookie", "__Host-waymark_login=\(String(repeating: "A", count: 43))")]),
                ("state=s&code=good", [("Cookie", "__Host-waymark_login=short")]),
                ("state=s&code=good&code=other", [good]), ("state=s&state=t&code=good", [good]),
            ] {
                let reply = try await gateway.http.ask("GET", "\(Self.path)/callback?\(query)", [Self.host] + cookies)
                #expect(reply.status == 303 && reply["location"] == "/#/provider/home/foreign")
                #expect(!reply.fields.contains { $0.value.contains("waymark_session") })
            }
            #expect(backends.providerLogins.finishes.isEmpty)
        }
    }

    @Test("every other ending is a word in the address, with nothing that was said")
    func endings() async throws {
        try await Self.with { gateway in
            let begun = try await gateway.http.ask("GET", Self.path, [Self.host])
            let denied = try await gateway.http.ask(
                "GET", "\(Self.path)/callback?error=access_denied", [Self.host, try Self.cookie(begun)])
            #expect(denied["location"] == "/#/provider/home/denied")
            for (code, word) in [("link", "linked"), ("taken", "taken"), ("denied", "denied"), ("away", "away")] {
                let begun = try await gateway.http.ask("GET", Self.path, [Self.host])
                let back = try await gateway.http.ask(
                    "GET", "\(Self.path)/callback?state=secret-state&code=\(code)",
                    [Self.host, try Self.cookie(begun)])
                #expect(back["location"] == "/#/provider/home/\(word)")
                #expect(!back.fields.contains { $0.value.contains("waymark_session") })
                #expect(!back.text.contains("secret") && !back.fields.contains { $0.value.contains("secret") })
            }
        }
    }

    @Test("a link begins by a request of the page, with its session")
    func link() async throws {
        let backends = FakeBackends()
        let session = ("Cookie", "__Host-waymark_session=\(backends.sessions.begin("ann"))")
        try await Self.with(backends) { gateway in
            let path = "\(Self.path)/link"
            let reply = try await gateway.http.call(path, "{}", [Self.host, session])
            #expect(reply.status == 200 && reply.text.contains("for=ann") && reply["cache-control"] == "no-store")
            #expect(reply["set-cookie"]?.hasPrefix("__Host-waymark_login=") == true)
            #expect(try await gateway.http.call(path, "{}", [Self.host]).status == 401)
            let foreign = [Self.host, session, ("Origin", "https://evil.example")]
            #expect(try await gateway.http.call(path, "{}", foreign).status == 403)
            #expect(try await gateway.http.ask("POST", path, [Self.host, session]).status == 415)
            #expect(try await gateway.http.ask("GET", path, [Self.host, session]).status == 405)
        }
    }

    @Test("the provider's server says in a form that someone has logged out there; no cookie counts")
    func logOut() async throws {
        let backends = FakeBackends()
        let session = ("Cookie", "__Host-waymark_session=\(backends.sessions.begin("ann"))")
        try await Self.with(backends) { gateway in
            let path = "\(Self.path)/logout"
            func say(_ form: String, type: String = "application/x-www-form-urlencoded") async throws -> HTTPReply {
                let fields = [Self.host, session, ("Content-Type", type)]
                return try await gateway.http.ask("POST", path, fields, body: Array(form.utf8))
            }
            let good = try await say("logout_token=a.b-c_d.e")
            #expect(good.status == 200 && good["cache-control"] == "no-store" && good["set-cookie"] == nil)
            let other = try await say("x=1&logout_token=f", type: "application/x-www-form-urlencoded; charset=UTF-8")
            #expect(other.status == 200)
            #expect(backends.providerLogins.ends.map(\.logoutToken) == ["a.b-c_d.e", "f"])
            #expect(backends.providerLogins.ends.map(\.provider) == ["home", "home"])
            let wrong = try await say("logout_token=wrong")
            #expect(wrong.status == 400 && wrong["cache-control"] == "no-store")
            #expect(try await say("logout_token=away").status == 503)
            for form in ["", "logout_token", "logout_token=a&logout_token=b", "token=a"] {
                #expect(try await say(form).status == 400)
            }
            #expect(try await say("{}", type: "application/json").status == 415)
            #expect(try await gateway.http.ask("GET", path, [Self.host]).status == 405)
            // One that is away is asked again.
            let asked = Set(backends.providerLogins.ends.map(\.logoutToken))
            #expect(asked == ["a.b-c_d.e", "f", "wrong", "away"])
        }
    }

    @Test("no name leads elsewhere, and without --public-url there is nothing to begin")
    func names() async throws {
        try await Self.with { gateway in
            for path in ["", "/", "/HOME", "/home/", "/home/callback/x", "/..", "/%2f%2fevil.example", "/a%0d%0ab"] {
                let reply = try await gateway.http.ask("GET", "/session/provider\(path)", [Self.host])
                #expect([400, 404].contains(reply.status) && reply["location"] == nil, "\(path)")
            }
            let unknown = try await gateway.http.ask("GET", "/session/provider/other", [Self.host])
            #expect(unknown["location"] == "/#/provider/other/failed")
        }
        let backends = FakeBackends()
        try await RunningGateway.with(backends) { gateway in
            let reply = try await gateway.http.ask("GET", Self.path, [])
            #expect(reply["location"] == "/#/provider/home/elsewhere" && backends.providerLogins.begins.isEmpty)
        }
    }
}
