import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite("Servers that lie", .timeLimit(.minutes(3)))
struct LyingServerTests {
    /// What a client makes of these bytes of a server that closes behind them.
    private func error(after text: String, _ change: (inout HTTPClientRequest) -> Void = { _ in }) async throws
        -> HTTPClientError?
    {
        let listener = try RawListener()
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/")
        change(&request)
        var error: HTTPClientError?
        try await withClient { client in
            async let served: Void = { try await listener.accept().answer(text) }()
            error = await failure(client, request)
            try? await served
        }
        return error
    }

    @Test("an answer that ends too early is none")
    func truncated() async throws {
        let error = try await error(after: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"elements\":[")
        #expect(error?.kind == "brokenOff")
    }

    @Test("no answer at all is told as such")
    func empty() async throws {
        let error = try await error(after: "")
        #expect(error?.kind == "brokenOff")
    }

    @Test("what is no HTTP is refused", arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 999999 ?\r\n\r\n"])
    func garbage(text: String) async throws {
        #expect(try await error(after: text) != nil)
    }

    @Test("chunks that are none are refused")
    func chunks() async throws {
        #expect(try await error(after: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") != nil)
    }

    @Test("a body is taken up to its limit and no further, whether its length was told or not")
    func oversized() async throws {
        for head in ["Content-Length: 5000\r\n", ""] {
            let text = "HTTP/1.1 200 OK\r\n\(head)\r\n" + String(repeating: "x", count: 5000)
            #expect(
                try await error(after: text) { $0.maximumBytes = 4999 } == .tooLong(what: "the answer", limit: 4999))
        }
    }

    @Test("a head without an end is given up")
    func endlessHead() async throws {
        let lines = (0..<3000).map { "X-\($0): \(String(repeating: "y", count: 40))\r\n" }.joined()
        let error = try await error(after: "HTTP/1.1 200 OK\r\n\(lines)")
        #expect(error == .tooLong(what: "the answer's head", limit: 64 << 10))
    }

    @Test("a server that says nothing, or a byte now and then, costs the request's time alone")
    func silence() async throws {
        let listener = try RawListener()
        try await withClient { client in
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/")
            request.timeout = .milliseconds(50)
            let task = Task { [request] in await failure(client, request) }
            let socket = try await listener.accept()
            try await socket.answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
            #expect(await task.value == .timedOut)
        }
    }

    @Test("a port where nobody listens, a name without an address and no address at all are told apart from others")
    func nobody() async throws {
        let port = try ClosedPort()
        try await withClient { client in
            for url in ["http://127.0.0.1:\(port.port)/", "http://waymark.invalid/"] {
                let error = await failure(client, HTTPClientRequest(url: url))
                #expect(error?.kind == "cannotConnect")
            }
            for url in ["", "ftp://127.0.0.1/", "file:///etc/passwd", "http://[::"] {
                let error = await failure(client, HTTPClientRequest(url: url))
                #expect(error?.kind == "unusable", "\(url)")
            }
        }
    }

    @Test("TLS asked of a server that has none is an error of TLS")
    func plain() async throws {
        try await withClient { client in
            try await HTTPFixture.with { _ in
                HTTPResponse(200)
            } _: { _, url in
                let secure = "https" + url.dropFirst("http".count)
                let error = await failure(client, HTTPClientRequest(url: secure))
                #expect(error?.kind == "tls")
            }
        }
    }
}
