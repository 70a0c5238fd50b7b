import Contracts
import Daemon
import HTTP
import TestSupport
import Testing

@testable import Gateway

@Suite("P37 P32 which web pages may call", .timeLimit(.minutes(3)))
struct OriginTests {
    private func status(
        _ gateway: RunningGateway, _ fields: [(String, String)], path: String = GatewayHTTP.echo
    ) async throws -> Int { try await gateway.http.ask("GET", "\(path)?message=%7B%7D", fields).status }

    @Test("in open mode a name that leads here without our knowing is refused: it may be anybody's")
    func rebinding() async throws {
        try await RunningGateway.with(settings: ["--public-url", "https://map.example.org/"]) { gateway throws in
            for host in [
                "evil.example", "evil.example:7780", "localhost.evil.example", "127.0.0.1.evil.example",
                "map.example.org.evil", "127.0.0.1.", "localhost.", "127.1",
            ] {
                #expect(try await status(gateway, [("Host", host)]) == 421, "\(host)")
            }
            // What is no host is refused before that.
            for host in [
                "[::1].evil.example", "[::1]evil.example", "[::1", "::1", "[localhost]", "[127.0.0.1]", "[::1%25eth0]",
                "localhost:80:80", "localhost:x", "localhost:99999", ":7780", "evil.example@localhost", "localhost/x",
                "localhost, evil.example", "localhost%00.evil.example", "lo\u{17f}alhost", "http://localhost",
            ] {
                #expect(try await status(gateway, [("Host", host)]) == 400, "\(host)")
            }
            for host in [
                "localhost", "LOCALHOST:7780", "127.0.0.1", "127.0.0.1:7780", "[::1]:7780", "192.168.1.7:80", "[::1]",
                "map.example.org", "Map.Example.org:443",
            ] { #expect(try await status(gateway, [("Host", host)]) == 200, "\(host)") }
        }
    }

    @Test("by gRPC the same is refused in its own form, with the sentence")
    func byGRPC() async throws {
        try await RunningGateway.with { gateway in
            for (field, sentence) in [
                (("Host", "evil.example"), "not reached by that name"),
                (("Origin", "http://evil.example"), "pages of other sites"),
            ] {
                let fields = [field, ("Content-Type", "application/grpc-web")]
                let reply = try await gateway.http.ask("POST", GatewayHTTP.echo, fields, body: [0, 0, 0, 0, 0])
                #expect(reply.status == 200 && reply.text.contains("grpc-status: 7"), "\(reply.text)")
                #expect(reply.text.contains(sentence) && reply["access-control-allow-origin"] == nil, "\(reply.text)")
            }
        }
    }

    @Test("pages of our own origin may, those of others may not, whatever they are called")
    func origins() async throws {
        try await RunningGateway.with(settings: ["--public-url", "https://map.example.org"]) { gateway in
            for origin in [
                "http://localhost:7780", "https://localhost:7780", "https://map.example.org", "HTTP://LOCALHOST:7780",
            ] {
                #expect(
                    try await status(gateway, [("Host", "localhost:7780"), ("Origin", origin)]) == 200, "\(origin)")
            }
            for origin in [
                "http://evil.example", "null", "http://localhost", "http://localhost:7781", "http://map.example.org",
                "https://map.example.org.evil", "https://map.example.org:444", "file://", "http://localhost:7780.evil",
                "", "http://[::1].localhost:7780", "http://localhost:7780/", "http://x@localhost:7780",
                "http://localhost:7780 http://evil.example", "http://\u{212a}ocalhost:7780",
            ] {
                let fields = [("Host", "localhost:7780"), ("Origin", origin)]
                #expect(try await status(gateway, fields) == 403, "\(origin)")
                let post = try await gateway.http.call(GatewayHTTP.echo, "{}", fields)
                #expect(post.status == 403 && post["access-control-allow-origin"] == nil)
                #expect(try await gateway.http.ask("POST", "/session", fields).status == 403)
                #expect(try await gateway.http.ask("OPTIONS", GatewayHTTP.echo, fields).status == 403)
            }
        }
    }

    @Test("a browser that tells no origin is asked from which site it comes")
    func fetchMetadata() async throws {
        try await RunningGateway.with { gateway throws in
            for site in ["same-origin", "none", "same-site"] {
                #expect(try await status(gateway, [("Sec-Fetch-Site", site)]) == 200, "\(site)")
            }
            #expect(
                try await status(gateway, [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]) == 403)
            #expect(try await status(gateway, [("Sec-Fetch-Site", "cross-site")]) == 403)
            // Following a link from elsewhere is what links are for.
            let link = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
            #expect(try await gateway.http.ask("GET", "/settings.json", link).status == 200)
        }
    }

    @Test("an <img> of any page shows a picture that its URL has a ticket for, and a cache tells its readers apart")
    func pictures() async throws {
        let key = try #require(RunningGateway.key)
        let pictures = ScriptedPictures()
        let bytes = ScriptedPictures.bytes(2_000)
        pictures.set("a", .init(bytes: bytes))
        try await TestServer.with(pictures.router, interceptors: [IdentityCheck(key)]) { photos in
            let settings = ["--allow-origins", "https://a.example"]
            try await RunningGateway.with(elsewhere: ["photos": photos.endpoint], settings: settings) { gateway in
                let url = PictureTickets(key).url(of: "a", .thumbnail, source: [1])
                let image = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]
                let shown = try await gateway.http.ask("GET", url, image)
                #expect(shown.status == 200 && shown.body == bytes)
                #expect(shown.fields.filter { $0.name == "vary" }.map(\.value) == ["Accept", "Origin"])
                #expect(try await gateway.http.ask("HEAD", url, image).status == 200)
                let read = try await gateway.http.ask("GET", url, [("Origin", "https://a.example")])
                #expect(read.body == bytes && read["access-control-allow-origin"] == "https://a.example")
                #expect(try await gateway.http.ask("POST", url, image).status == 403)
                #expect(try await gateway.http.ask("GET", "/pictures", image).status == 403)
            }
        }
    }

    @Test("who names WebP in Accept gets one, under another ETag; who takes anything gets a JPEG")
    func webP() async throws {
        let key = try #require(RunningGateway.key)
        let pictures = ScriptedPictures()
        let (jpeg, webP) = (ScriptedPictures.bytes(2_000), ScriptedPictures.bytes(1_000, seed: 7))
        pictures.set("a", .init(bytes: jpeg, webP: webP))
        try await TestServer.with(pictures.router, interceptors: [IdentityCheck(key)]) { photos in
            try await RunningGateway.with(elsewhere: ["photos": photos.endpoint]) { gateway in
                let url = PictureTickets(key).url(of: "a", .thumbnail, source: [1])
                var tags: Set<String> = []
                for (accept, bytes, kind) in [
                    ("image/avif,image/webp,*/*;q=0.8", webP, "image/webp"), ("*/*", jpeg, "image/jpeg"),
                    ("image/webp;q=0, */*", jpeg, "image/jpeg"), ("text/html, IMAGE/WEBP ;q=0.1", webP, "image/webp"),
                ] {
                    let shown = try await gateway.http.ask("GET", url, [("Accept", accept)])
                    #expect(shown.body == bytes && shown["content-type"] == kind && shown["vary"] == "Accept")
                    let tag = try #require(shown["etag"])
                    tags.insert(tag)
                    let same = try await gateway.http.ask("GET", url, [("Accept", accept), ("If-None-Match", tag)])
                    #expect(same.status == 304 && same["vary"] == "Accept")
                }
                #expect(tags.count == 2)
            }
        }
    }

    @Test("origins that are allowed by name may, are told so, and may ask first")
    func allowed() async throws {
        let settings = ["--allow-origins", "https://a.example, http://b.example:8080"]
        try await RunningGateway.with(settings: settings) { gateway in
            for origin in ["https://a.example", "http://b.example:8080"] {
                let reply = try await gateway.http.call(GatewayHTTP.echo, "{}", [("Origin", origin)])
                #expect(reply.status == 200 && reply["access-control-allow-origin"] == origin)
                #expect(reply.fields.contains { $0.name == "vary" && $0.value == "Origin" })
                let asked = [("Origin", origin), ("Access-Control-Request-Method", "POST")]
                let preflight = try await gateway.http.ask("OPTIONS", GatewayHTTP.echo, asked)
                #expect(preflight.status == 204 && preflight["access-control-allow-origin"] == origin)
                #expect(preflight["access-control-allow-headers"]?.contains("Connect-Timeout-Ms") == true)
                #expect(preflight["access-control-allow-credentials"] == nil)
                let failed = try await gateway.http.call("/no.such.Service/Method", "{}", [("Origin", origin)])
                #expect(failed.status == 404 && failed["access-control-allow-origin"] == origin)
            }
            for origin in ["http://a.example", "https://a.example:8443", "https://b.example:8080"] {
                #expect(try await status(gateway, [("Origin", origin)]) == 403)
            }
        }
    }

    @Test(
        "settings that name no origin are refused at the start",
        arguments: [
            ["--public-url", "map.example.org"], ["--public-url", "ftp://map.example.org"],
            ["--public-url", "https://"],
            ["--public-url", "https://user@map.example.org"], ["--allow-origins", "a.example"],
            ["--allow-origins", "*"],
            ["--allow-origins", "https://a.example/path"], ["--allow-origins", "null"],
            ["--trusted-proxies", "10.0.0.0/33"], ["--trusted-proxies", "proxy"], ["--rate", "-1"],
        ])
    func badSettings(settings: [String]) async throws {
        await #expect(throws: (any Error).self) { try await RunningGateway.with(settings: settings) { _ in } }
    }
}
