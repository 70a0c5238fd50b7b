import TestSupport
import Testing

@testable import HTTP

@Suite("P37 requests over HTTP/1.1", .timeLimit(.minutes(3)))
struct RequestTests {
    @Test("one connection carries one request after the other")
    func keepAlive() async throws {
        try await RunningHTTP.with { http in
            let client = try await http.connect()
            for number in 0..<5 {
                let reply = try await client.ask("GET", "/\(number)")
                #expect(reply.status == 200 && reply.text.hasPrefix("GET /\(number)\n"))
                #expect(!reply.closes)
            }
            #expect(await http.load.connections == 1)
            #expect(try await client.ask("GET", "/last", [("Connection", "close")]).closes)
            #expect(try await client.rest().isEmpty)
            #expect(await http.isEmptySoon())
        }
    }

    @Test("requests that are sent without waiting are answered in their order, bodies and all")
    func pipelining() async throws {
        let held = Tally()
        let responder = ScriptedResponder { request in
            // The first one is the slowest.
            if request.path == "/0" { try? await held.wait() }
            return HTTPResponse(200, text: "\(request.path) \(String(decoding: request.body, as: UTF8.self))")
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            for number in 0..<20 { try await client.send("POST", "/\(number)", body: Array("body \(number)".utf8)) }
            held.add()
            for number in 0..<20 { #expect(try await client.reply().text == "/\(number) body \(number)\n") }
        }
    }

    @Test("a request is the same however its bytes arrive")
    func split() async throws {
        try await RunningHTTP.with { http in
            let bytes = Array("POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello".utf8)
            var texts: Set<String> = []
            for size in [1, 2, 7, 64, bytes.count] {
                let client = try await http.connect()
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try await client.send(Array(bytes[start..<min(start + size, bytes.count)]))
                }
                texts.insert(try await client.reply().text)
            }
            #expect(texts == ["POST /a\n? b=c\ncontent-length: 5\nhost: x\n5 bytes\n"])
        }
    }

    @Test("HEAD is told the length, and gets no body, of bytes and of a stream")
    func head() async throws {
        let responder = ScriptedResponder { request in
            if request.path == "/bytes" { return HTTPResponse(200, body: .bytes([1, 2, 3])) }
            return HTTPResponse(
                200, body: .stream(count: request.path == "/known" ? 9 : nil) { _ in Issue.record("nobody reads it") })
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            #expect(try await client.ask("HEAD", "/bytes")["content-length"] == "3")
            #expect(try await client.ask("HEAD", "/known")["content-length"] == "9")
            #expect(try await client.ask("GET", "/bytes").body == [1, 2, 3])
            #expect(try await client.ask("HEAD", "/unknown").status == 200)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test(
        "path and query have their escapes resolved, once",
        arguments: [
            ("/a%20b", "/a b", []), ("/caf%C3%A9", "/café", []), ("/%2525", "/%25", []), ("/a/../b", "/a/../b", []),
            ("/q?a=1&b=2&a=3", "/q", ["a=1", "b=2", "a=3"]), ("/q?a=x+y%2Bz%26", "/q", ["a=x y+z&"]),
            ("/q?a", "/q", ["a="]), ("/q?a==b", "/q", ["a==b"]), ("/q?", "/q", []),
        ] as [(String, String, [String])])
    func target(target: String, path: String, query: [String]) async throws {
        try await RunningHTTP.with { http in
            let lines = try await http.connect().ask("GET", target).text.split(separator: "\n").map(String.init)
            #expect(lines.first == "GET \(path)")
            #expect(lines.filter { $0.hasPrefix("? ") } == query.map { "? " + $0 })
        }
    }

    @Test("fields come with their names in any case and their values without blanks, several of a name too")
    func fields() async throws {
        try await RunningHTTP.with { http in
            let fields = [("X-One", "  first  "), ("x-one", "second"), ("X-Empty", ""), ("X-Colon", "a: b")]
            let text = try await http.connect().ask("GET", "/", fields).text
            for line in ["x-one: first", "x-one: second", "x-empty: ", "x-colon: a: b"] {
                #expect(text.contains("\n\(line)\n"), "\(text)")
            }
        }
    }

    @Test("a client that asks whether it may send is told to go on")
    func expectContinue() async throws {
        try await RunningHTTP.with(.echoing) { http in
            let client = try await http.connect()
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.reply().status == 100)
            try await client.send("abc")
            #expect(try await client.reply().text == "abc")
        }
    }

    @Test("a chunked body is joined, whatever its chunks are and whatever stands behind them")
    func chunked() async throws {
        try await RunningHTTP.with(.echoing) { http in
            let client = try await http.connect()
            let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await client.send(head + "3\r\nabc\r\n0A;name=value\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n")
            #expect(try await client.reply().text == "abc0123456789")
            try await client.send(head + "0\r\n\r\n")
            #expect(try await client.reply().text == "")
            for _ in 0..<3 { try await client.send(head + "1\r\nz\r\n0\r\n\r\n") }
            for _ in 0..<3 { #expect(try await client.reply().text == "z") }
        }
    }
}
