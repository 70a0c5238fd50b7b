import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite("Requests to other servers", .timeLimit(.minutes(3)))
struct RequestTests {
    @Test("an answer comes whole: status, fields by lower-case name, body")
    func whole() async throws {
        try await withClient { client in
            try await HTTPFixture.with { request in
                HTTPResponse(
                    402, headers: [("Retry-After", "7"), ("Link", "<a>"), ("Link", "<b>")],
                    body: .bytes(Array("\(request.method) \(request.path) \(request.query["q"] ?? "")".utf8)))
            } _: { fixture, url in
                let query = FormText.text([("q", "a b&ü"), ("r", "")])
                let request = HTTPClientRequest(url: "\(url)/x?\(query)", headers: [("X-Key", "secret")])
                let response = try await client.send(request)
                #expect(response.status == 402)
                #expect(response.headers["retry-after"] == "7")
                #expect(response.headers["link"] == "<a>, <b>")
                #expect(String(decoding: response.body, as: UTF8.self) == "GET /x a b&ü")
                let headers = fixture.requests[0].headers
                #expect(headers["user-agent"] == "waymark-test (test@example.org)")
                #expect(headers["x-key"] == "secret")
                #expect(headers["accept-encoding"] == "gzip")
            }
        }
    }

    @Test(
        "a field with a control character is refused by its name, and nothing is sent",
        arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\u{0}b", "\u{1b}[31m", "a\u{7f}"])
    func controlCharacters(value: String) async throws {
        try await withClient { client in
            try await HTTPFixture.with { _ in
                HTTPResponse(200)
            } _: { fixture, url in
                var byAgent = HTTPClientRequest(url: url)
                byAgent.agent = value
                let refused = [
                    (
                        HTTPClientRequest(url: url, headers: [("X-Key", value)]),
                        "the field X-Key has a control character"
                    ),
                    (byAgent, "the field User-Agent has a control character"),
                    (HTTPClientRequest(url: url, headers: [(value, "a")]), "a field has no usable name"),
                ]
                for (request, reason) in refused {
                    await #expect(throws: HTTPClientError.unusable(reason: reason)) { try await client.send(request) }
                }
                #expect(fixture.requests.isEmpty)
                let harmless = HTTPClientRequest(url: url, headers: [("X-Key", "a\tb é \u{85}")])
                let answer = try await client.send(harmless)
                #expect(answer.status == 200)
            }
        }
    }

    @Test("a body is posted as it is, also an empty one", arguments: ["", "a=1", "\u{0}x"])
    func post(body: String) async throws {
        try await withClient { client in
            try await HTTPFixture.with {
                HTTPResponse(200, body: .bytes($0.body))
            } _: { fixture, url in
                let response = try await client.send(HTTPClientRequest(url: url, body: Array(body.utf8)))
                #expect(response.body == Array(body.utf8))
                #expect(fixture.requests[0].method == "POST")
            }
        }
    }

    @Test("what was packed with gzip is unpacked")
    func gzip() async throws {
        // "hello hello hello\n"
        let packed: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x5c, 0, 0x3b,
            0x7c, 0x8a, 0xdf, 0x12, 0, 0, 0,
        ]
        try await withClient { client in
            try await HTTPFixture.with { _ in
                HTTPResponse(200, headers: [("Content-Encoding", "gzip")], body: .bytes(packed))
            } _: { _, url in
                let response = try await client.send(HTTPClientRequest(url: url))
                #expect(String(decoding: response.body, as: UTF8.self) == "hello hello hello\n")
            }
        }
    }

    @Test("requests one after the other share a connection")
    func reuse() async throws {
        let listener = try RawListener()
        try await withClient { client in
            async let served: Void = {
                let socket = try await listener.accept()
                for _ in 1...3 { try await socket.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
            }()
            for _ in 1...3 {
                let response = try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/"))
                #expect(response.body == Array("ok".utf8))
            }
            try await served
        }
    }

    @Test("a hundred requests at once are all answered, on no more connections than are allowed")
    func many() async throws {
        try await withClient { client in
            try await HTTPFixture.with {
                HTTPResponse(200, text: $0.path)
            } _: { _, url in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...100 {
                        group.addTask {
                            let response = try await client.send(HTTPClientRequest(url: "\(url)/\(number)"))
                            #expect(String(decoding: response.body, as: UTF8.self) == "/\(number)\n")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("a redirect is followed only when that was asked for, and never to a file")
    func redirects() async throws {
        try await withClient { client in
            try await HTTPFixture.with { request in
                switch request.path {
                case "/a": HTTPResponse(302, headers: [("Location", "/b"), ("X-First", "1")])
                case "/file": HTTPResponse(302, headers: [("Location", "file:///etc/passwd")])
                default: HTTPResponse(200, text: "there")
                }
            } _: { _, url in
                var request = HTTPClientRequest(url: "\(url)/a")
                #expect(try await client.send(request).status == 302)
                request.redirects = 1
                let response = try await client.send(request)
                #expect(response.status == 200)
                #expect(response.headers["x-first"] == nil)
                request.url = "\(url)/file"
                #expect(await failure(client, request)?.kind == "unusable")
            }
        }
    }

    @Test("a cancelled request ends at once, and its connection is closed")
    func cancelled() async throws {
        let listener = try RawListener()
        try await withClient { client in
            let task = Task { await failure(client, HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/")) }
            let socket = try await listener.accept()
            _ = try await socket.requestHead()
            task.cancel()
            #expect(await task.value == .cancelled)
            await #expect(throws: RawSocketError.ended) { _ = try await socket.receiveBytes() }
        }
    }

    @Test("closing the client ends its requests; later ones are refused")
    func closed() async throws {
        let listener = try RawListener()
        try await withClient { client in
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/")
            let task = Task { await failure(client, request) }
            let socket = try await listener.accept()
            _ = try await socket.requestHead()
            await client.close()
            #expect(await task.value == .closed)
            #expect(await failure(client, request) == .closed)
        }
    }
}
