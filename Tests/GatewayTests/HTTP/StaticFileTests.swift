import Compression
import Files
import TestSupport
import TestTools
import Testing

@testable import Gateway

@Suite("P37 the web app's files", .timeLimit(.minutes(3)))
struct StaticFileTests {
    private static let script = String(repeating: "const answer = 42;\n", count: 200)
    /// Too large to be kept in memory.
    private static let largeScript = String(repeating: "const question = 6 * 9;\n", count: 4_000)

    private static func with(_ settings: [String] = [], _ body: (RunningGateway) async throws -> Void) async throws {
        let (above, web) = (TemporaryFolder(), TemporaryFolder())
        try above.write("secret", to: "secret.txt")
        try web.write("<!doctype html>", to: "index.html")
        try web.write(script, to: "app.js")
        try web.write(largeScript, to: "large.js")
        try web.write("", to: "empty.js")
        try web.write("no type", to: "README")
        try web.write("hidden", to: ".hidden.txt")
        try await RunningGateway.with(settings: ["--web", web.path, "--libraries", above.path] + settings, body)
    }

    @Test("have their types, their tag and no more rights than a page needs")
    func page() async throws {
        try await Self.with { gateway in
            for path in ["/", "/index.html"] {
                let reply = try await gateway.http.ask("GET", path)
                #expect(reply.status == 200 && reply.text == "<!doctype html>")
                #expect(reply["content-type"] == "text/html; charset=utf-8" && reply["cache-control"] == "no-cache")
                #expect(reply["x-content-type-options"] == "nosniff" && reply["x-request-id"] != nil)
                #expect(reply["x-frame-options"] == "DENY")
                let policy = try #require(reply["content-security-policy"])
                for part in ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"] {
                    #expect(policy.contains(part))
                }
                #expect(!policy.contains("unsafe"))
            }
            #expect(try await gateway.http.ask("GET", "/app.js")["content-type"] == "text/javascript; charset=utf-8")
            let head = try await gateway.http.ask("HEAD", "/app.js")
            #expect(head.status == 200 && head["content-length"] == "\(Self.script.utf8.count)")
            #expect(try await gateway.http.ask("POST", "/app.js")["allow"] == "GET, HEAD")
        }
    }

    @Test("have the sheets that the app's own style sheet imports in it, and other imports as they stand")
    func sheets() async throws {
        let web = TemporaryFolder()
        try web.write("<!doctype html>", to: "index.html")
        try DiskFile.makeFolder(web.file("styles"))
        try web.write("@import \"one.css\";\n@import \"../two.css\";\na { top: 0; }\n", to: "styles/main.css")
        try web.write("b { top: 1px; }", to: "styles/one.css")
        try await RunningGateway.with(settings: ["--web", web.path, "--libraries", "none"]) { gateway in
            let sheet = try await gateway.http.ask("GET", "/styles/main.css")
            #expect(sheet.text == "b { top: 1px; }\n@import \"../two.css\";\na { top: 0; }\n")
            #expect(sheet["content-type"] == "text/css; charset=utf-8")
            #expect(try await gateway.http.ask("GET", "/styles/one.css").text == "b { top: 1px; }")
        }
    }

    @Test("keep other sites' windows away where TLS is in front of them, which that takes")
    func opener() async throws {
        for (settings, policy) in [([], nil), (["--public-url", "https://map.example.org"], "same-origin")]
            as [([String], String?)]
        {
            try await Self.with(settings) { gateway in
                let page = try await gateway.http.ask("GET", "/")
                #expect(page.status == 200 && page["cross-origin-opener-policy"] == policy)
            }
        }
    }

    @Test("are not sent again to who has them, packed or not")
    func tags() async throws {
        try await Self.with { gateway in
            let plain = try await gateway.http.ask("GET", "/app.js")
            let packed = try await gateway.http.ask("GET", "/app.js", [("Accept-Encoding", "gzip")])
            let (plainTag, packedTag) = (try #require(plain["etag"]), try #require(packed["etag"]))
            #expect(packed["content-encoding"] == "gzip" && plainTag != packedTag)
            #expect(Gzip.unpack(packed.body, limit: 1 << 20) == .bytes(Array(Self.script.utf8)))
            for tags in [plainTag, "W/\(plainTag)", "*", "\"other\", \(plainTag)", "\"other\",\(plainTag) ,\"x\""] {
                let reply = try await gateway.http.ask("GET", "/app.js", [("If-None-Match", tags)])
                #expect(reply.status == 304 && reply.body.isEmpty && reply["etag"] == plainTag, "\(tags)")
                #expect(reply["cache-control"] == "no-cache")
            }
            for tags in ["\"other\"", packedTag, "", plainTag.replacing("\"", with: "")] {
                #expect(
                    try await gateway.http.ask("GET", "/app.js", [("If-None-Match", tags)]).status == 200, "\(tags)")
            }
            let again = [("Accept-Encoding", "gzip"), ("If-None-Match", packedTag)]
            #expect(try await gateway.http.ask("GET", "/app.js", again).status == 304)
        }
    }

    @Test(
        "are given in parts to who asks for one, as they are also to who takes them packed, from memory or the disk",
        arguments: [("/app.js", script), ("/large.js", largeScript)])
    func parts(path: String, script: String) async throws {
        try await Self.with { gateway in
            let script = Array(script.utf8)
            for encoding in ["identity", "gzip"] {
                let reply = try await gateway.http.ask(
                    "GET", path, [("Range", "bytes=6-11"), ("Accept-Encoding", encoding)])
                #expect(reply.status == 206 && reply.body == Array(script[6..<12]) && reply["content-encoding"] == nil)
                #expect(reply["content-range"] == "bytes 6-11/\(script.count)" && reply["accept-ranges"] == "bytes")
            }
            let whole = try await gateway.http.ask(
                "GET", path, [("Range", "bytes=0-"), ("If-Range", "\"other\"")])
            #expect(whole.status == 200 && whole.body == script)
            let packed = try await gateway.http.ask("GET", path, [("Accept-Encoding", "gzip")])
            #expect(Gzip.unpack(packed.body, limit: 1 << 20) == .bytes(script))
            let beyond = try await gateway.http.ask("GET", path, [("Range", "bytes=999999-")])
            #expect(beyond.status == 416 && beyond["content-range"] == "bytes */\(script.count)")
        }
    }

    @Test("without bytes have no part that could be given", arguments: ["bytes=-5", "bytes=0-", "bytes=0-4"])
    func partsOfNothing(range: String) async throws {
        try await Self.with { gateway in
            let reply = try await gateway.http.ask("GET", "/empty.js", [("Range", range)])
            #expect(reply.status == 416 && reply["content-range"] == "bytes */0")
            let whole = try await gateway.http.ask("GET", "/empty.js")
            #expect(whole.status == 200 && whole.body.isEmpty)
        }
    }

    @Test(
        "are all that can be reached, whatever a path says",
        arguments: [
            "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "/..\\secret.txt",
            "/%5c..%5csecret.txt", "//etc/passwd", "/etc/passwd", "/app.js%00.txt", "/%00", "/index.html%00",
            "/./app.js",
            "/app.js/", "/README", "/.hidden.txt", "/INDEX.HTML", "/app.js%20", "/libraries/leaflet/../secret.txt",
            "/libraries/secret.txt", "/app%2ejs%2f..", "/%252e%252e/secret.txt", "/app.js;x", "/%ff",
            "/%c0%ae%c0%ae/secret.txt",
        ])
    func traversal(path: String) async throws {
        try await Self.with { gateway in
            let reply = try await gateway.http.ask("GET", path)
            #expect([400, 404].contains(reply.status), "\(reply.status)")
            #expect(!reply.text.contains("secret") && !reply.text.contains("root:"))
        }
    }

    @Test("may show tiles of the server that was chosen, and no other's; it learns the page's origin and no more")
    func tiles() async throws {
        let url = "https://{s}.tiles.example.org/{z}/{x}/{y}.png"
        try await Self.with(["--tiles", url, "--tiles-attribution", "© them"]) { gateway in
            let page = try await gateway.http.ask("GET", "/")
            let policy = try #require(page["content-security-policy"])
            #expect(policy.contains("img-src 'self' data: blob: https://*.tiles.example.org;"))
            #expect(page["referrer-policy"] == "strict-origin-when-cross-origin")
            let settings = try await gateway.http.ask("GET", "/settings.json").text
            #expect(settings.contains(#""attribution":"© them""#) && settings.contains(url))
            #expect(settings.contains(#""commons":"Wikimedia Commons""#), "browsers name the networks by it")
        }
        for url in [
            "https://x/{z}/{x}", "ftp://x/{z}/{x}/{y}", "https://x;script-src/{z}/{x}/{y}", "https://x y/{z}/{x}/{y}",
        ] {
            await #expect(throws: (any Error).self) {
                try await Self.with(["--tiles", url, "--tiles-attribution", "x"]) { _ in }
            }
        }
    }
}
