import TestSupport
import TestTools
import Testing

@testable import HTTP

@Suite("P37 requests that are none", .timeLimit(.minutes(3)))
struct MalformedRequestTests {
    /// The statuses of all answers to what a client sends, until the connection is closed.
    private func statuses(_ http: RunningHTTP, _ bytes: [UInt8], ends: Bool = false) async throws -> [Int] {
        let client = try await http.connect()
        try? await client.send(bytes)
        if ends { client.socket.endSending() }
        let text = String(decoding: try await client.rest(), as: UTF8.self)
        return text.split(separator: "\r\n").compactMap { line in
            line.hasPrefix("HTTP/1.") ? line.split(separator: " ").dropFirst().first.flatMap { Int($0) } : nil
        }
    }

    /// libmicrohttpd does not see the end of a client that sent some bytes right before it: patience ends that one.
    private static func with(_ body: (RunningHTTP) async throws -> Void) async throws {
        try await RunningHTTP.with(limits: { $0.patience = .milliseconds(500) }, body)
    }

    /// A request that must never be answered, because it stands inside of another one.
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test(
        "whose length can be read in two ways are refused, and nothing behind them is read",
        arguments: [
            "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 6\r\nContent-Length: 6", "Content-Length: 5, 6",
            "Content-Length: 6\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 6",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: xchunked", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: identity",
            "Transfer-Encoding: \"chunked\"", "Transfer-Encoding:", "Content-Length: +5", "Content-Length: -1",
            "Content-Length: 0x5", "Content-Length: 5 5", "Content-Length: 5a", "Content-Length:",
            "Content-Length: 99999999999999999999999", "Content-Length: 18446744073709551615",
            "Content-Length: 9223372036854775808", "Content-Length : 5", " Content-Length: 5",
            "Transfer-Encoding : chunked", "Transfer-Encoding: chunked ", "Content-Length: 5 ",
        ])
    func ambiguous(fields: String) async throws {
        try await Self.with { http in
            for body in ["0\r\n\r\n", "hello", ""] {
                let text = "POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n\(body)\(Self.smuggled)"
                let statuses = try await statuses(http, Array(text.utf8), ends: true)
                #expect(statuses.allSatisfy { [400, 413, 501].contains($0) }, "\(statuses)")
            }
            #expect(await http.isEmptySoon())
        }
    }

    @Test(
        "in their first line or their names are refused, and the connection closed",
        arguments: [
            "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
            "GET / HTTP/0.9\r\nHost: x\r\n\r\n", "GET / HTTX/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nHost: x y\r\n\r\n",
            "GET / extra HTTP/1.1\r\nHost: x\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /%FF HTTP/1.1\r\nHost: x\r\n\r\n", "GET /? HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n",
            "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /?a=%00 HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX: a\u{1}b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX(y): a\r\n\r\n",
            "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ])
    func head(text: String) async throws {
        try await Self.with { http in
            let statuses = try await statuses(http, Array((text + Self.smuggled).utf8), ends: true)
            #expect(statuses.allSatisfy { [400, 404, 501, 505].contains($0) }, "\(statuses)")
            #expect(await http.isEmptySoon())
        }
    }

    @Test(
        "in their chunks are refused, and the connection closed",
        arguments: [
            "x\r\nabc\r\n", "-1\r\nabc\r\n", "3\r\nabcd\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFF\r\nabc", "\r\n\r\n",
            "FFFFFFFFFFFFFFFFFFFFFFFF\r\nabc", "7FFFFFFFFFFFFFFF\r\nabc", "3 \r\nab", "0x3\r\nabc\r\n0\r\n\r\n",
            "3\r\nabc0\r\n\r\n", "1;\(String(repeating: "x", count: 40_000))",
            "0\r\nX: \(String(repeating: "y", count: 40_000))",
        ])
    func chunks(text: String) async throws {
        try await Self.with { http in
            let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let statuses = try await statuses(http, Array((head + text + Self.smuggled).utf8), ends: true)
            #expect(statuses.allSatisfy { $0 >= 400 }, "\(statuses)")
            #expect(await http.isEmptySoon())
        }
    }

    @Test(
        "whose head is too large are refused, in the target and in the fields",
        arguments: [15_000, 17_000, 100_000, 1 << 20])
    func large(count: Int) async throws {
        try await Self.with { http in
            let filling = String(repeating: "a", count: count)
            let many = (0..<count / 10).map { "a\($0): b\r\n" }.joined()
            for head in [
                "GET /\(filling) HTTP/1.1\r\nHost: x\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX: \(filling)\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n" + many,
            ] {
                let statuses = try await statuses(http, Array((head + "\r\n").utf8), ends: true)
                #expect(statuses.allSatisfy { $0 >= 200 && $0 < 500 } && statuses.count <= 1, "\(statuses)")
                if count > 16_384 { #expect(statuses.allSatisfy { [413, 414, 431].contains($0) }, "\(statuses)") }
            }
            #expect(await http.isEmptySoon())
        }
    }

    @Test(
        "with a path that is far too long are refused; a query may be long",
        arguments: [(1023, 0), (1024, 0), (1, 5000)])
    func path(bytes: Int, query: Int) async throws {
        try await RunningHTTP.with { http in
            let target = "/" + String(repeating: "a", count: bytes) + "?" + String(repeating: "b", count: query)
            let request = "GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            let statuses = try await statuses(http, Array(request.utf8))
            #expect(statuses == [bytes < 1024 ? 200 : 414])
        }
    }

    @Test("do not let a client that speaks TLS wait")
    func tls() async throws {
        try await Self.with { http in
            let hello: [UInt8] = [0x16, 3, 1, 0, 4, 1, 0, 0, 0] + Array("\r\n\r\n".utf8)
            let statuses = try await statuses(http, hello, ends: true)
            #expect(statuses.allSatisfy { $0 == 400 })
        }
    }

    @Test("of random bytes are answered or closed, never more, and the next client is served", arguments: 0..<8)
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "GET ", "POST ", "/", " HTTP/1.1", "\r\n", "\r\n\r\n", "Host: x", "Content-Length: ", "5", "hello", ":",
            "Transfer-Encoding: chunked", "Expect: 100-continue", "%", "?", "&", "=", "\n", "\r", "0", " ", "\u{0}",
            "\t",
        ]
        try await Self.with { http in
            for _ in 0..<60 {
                var bytes: [UInt8] = []
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    if random.chance(0.2) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
                    bytes += Array(random.one(of: pieces).utf8)
                }
                _ = try await statuses(http, bytes, ends: true)
            }
            #expect(try await next(http) == 200)
            #expect(await http.isEmptySoon())
        }
    }

    /// What the next client gets. One that the machine holds up for longer than the server's patience comes again.
    private func next(_ http: RunningHTTP) async throws -> Int {
        while true {
            do {
                return try await http.connect().ask("GET", "/").status
            } catch RawSocketError.ended {
                continue
            }
        }
    }
}
