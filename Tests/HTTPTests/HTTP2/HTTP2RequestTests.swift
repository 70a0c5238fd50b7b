import TestSupport
import Testing

@testable import HTTP

@Suite("P37 requests of HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2RequestTests {
    @Test("are understood as those of HTTP/1.1 are")
    func understood() async throws {
        try await RunningHTTP.with { http in
            let new = try await HTTP2Client(connectingTo: http.port)
            let stream = try await new.ask(
                "POST", "/a%20b?x=1+2&y&z=%C3%A4", [("cookie", "a=1"), ("accept", "*/*"), ("cookie", "b=2")],
                body: Array("12345".utf8))
            let answer = try await new.answer(stream)
            let old = try await http.connect()
            let same = try await old.ask(
                "POST", "/a%20b?x=1+2&y&z=%C3%A4", [("Cookie", "a=1; b=2"), ("Accept", "*/*")],
                body: Array("12345".utf8))
            #expect(answer.status == "200")
            #expect(
                answer.text == same.text.split(separator: "\n").filter { !$0.hasPrefix("content-length") }
                    .joined(separator: "\n") + "\n")
            #expect(answer.head["content-type"] == "text/plain; charset=utf-8")
        }
    }

    @Test("are taken from a preface in pieces, and on a connection that has none yet")
    func pieces() async throws {
        try await RunningHTTP.with { http in
            for atOnce in [1, 3, 4, 7] {
                let client = try await HTTP2Client(connectingTo: http.port, begins: false)
                let start = HTTP2Client.preface + HTTP2Client.frame(.settings)
                try await client.socket.send(start, atOnce: atOnce)
                #expect(try await client.answer(client.ask("GET", "/")).status == "200")
            }
            // Behind a request of HTTP/1.1 it is none that is known.
            let old = try await http.connect()
            #expect(try await old.ask("GET", "/").status == 200)
            try await old.send(HTTP2Client.preface)
            #expect(try await old.head().status == 505)
        }
    }

    @Test("are worked on at once, a hundred on one connection, and answered as each is ready")
    func atOnce() async throws {
        let (begun, asked) = (Tally(), Tally())
        let responder = ScriptedResponder { request in
            begun.add()
            if request.path == "/0" { try? await asked.wait() }
            return HTTPResponse(200, text: request.path)
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            var streams: [UInt32] = []
            for number in 0..<100 { streams.append(try await client.ask("GET", "/\(number)")) }
            for number in 1..<100 { #expect(try await client.answer(streams[number]).text == "/\(number)\n") }
            #expect(begun.count == 100)
            asked.add()
            #expect(try await client.answer(streams[0]).text == "/0\n")
        }
    }

    @Test("and their answers may have megabytes, over windows that are opened as they are read")
    func large() async throws {
        try await RunningHTTP.with(.echoing) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            // The server's windows are as large as it says once that is read.
            _ = try await client.receive(.settings)
            let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 >> 3) }
            for _ in 0..<20 {
                #expect(try await client.answer(client.ask("POST", "/", body: body)).body == body)
            }
        }
    }

    @Test("with a body that is held back are told to go on")
    func continued() async throws {
        try await RunningHTTP.with(.echoing) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask(HTTP2Client.head("POST", "/", [("expect", "100-continue")]), isEnd: false)
            #expect(try await client.part(stream) { !$0.head.isEmpty }.status == "100")
            try await client.send(HTTP2Client.frame(.data, flags: 1, stream: stream, payload: [7]))
            #expect(try await client.answer(stream).body == [7])
        }
    }

    @Test("of HEAD, and answers without a body, have none")
    func withoutBody() async throws {
        let responder = ScriptedResponder { request in
            request.path == "/304" ? HTTPResponse(304) : HTTPResponse(200, text: "text")
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let head = try await client.answer(client.ask("HEAD", "/"))
            #expect(head.head["content-length"] == "5")
            #expect(head.body.isEmpty)
            let unchanged = try await client.answer(client.ask("GET", "/304"))
            #expect(unchanged.status == "304")
            #expect(unchanged.head["content-length"] == nil)
        }
    }

    @Test(
        "that are too long are refused by themselves, and the connection goes on",
        arguments: [
            ("431", [("x", String(repeating: "y", count: 15_000)), ("z", String(repeating: "y", count: 15_000))]),
            ("431", (0..<101).map { ("x-\($0)", "y") }),
            ("400", [("host", "elsewhere")]),
        ])
    func tooLong(status: String, fields: [(String, String)]) async throws {
        try await RunningHTTP.with { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let block = HTTP2Client.head("GET", "/", fields)
            let stream = client.next()
            var pieces = stride(from: 0, to: block.count, by: 16_000).map {
                Array(block[$0..<min($0 + 16_000, block.count)])
            }
            let first = pieces.removeFirst()
            try await client.send(
                HTTP2Client.frame(.headers, flags: pieces.isEmpty ? 5 : 1, stream: stream, payload: first))
            for (index, piece) in pieces.enumerated() {
                let flags: UInt8 = index == pieces.count - 1 ? 4 : 0
                try await client.send(HTTP2Client.frame(.continuation, flags: flags, stream: stream, payload: piece))
            }
            #expect(try await client.answer(stream).status == status)
            #expect(try await client.answer(client.ask("GET", "/")).status == "200")
        }
    }

    @Test("with too long a body are answered before it has ended")
    func longBody() async throws {
        try await RunningHTTP.with(.echoing, limits: { $0.bodyBytes = 1000 }) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask(HTTP2Client.head("POST", "/"), isEnd: false)
            try await client.send(HTTP2Client.frame(.data, stream: stream, payload: [UInt8](repeating: 0, count: 1001)))
            #expect(try await client.answer(stream).status == "413")
            let declared = try await client.ask(
                HTTP2Client.head("POST", "/", [("content-length", "1001")]), isEnd: false)
            #expect(try await client.answer(declared).status == "413")
            #expect(try await client.answer(client.ask("POST", "/", body: [1])).body == [1])
        }
    }

    @Test(
        "that are no requests are reset, and the connection goes on",
        arguments: [
            [(":method", "GET"), (":scheme", "http"), (":path", "/")],
            [(":method", "GET"), (":scheme", "http"), (":authority", "localhost")],
            [(":method", "GET"), (":scheme", "http"), (":path", ""), (":authority", "localhost")],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":path", "/"), (":authority", "localhost")],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"), ("Upper", "x")],
            [
                (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"),
                ("connection", "close"),
            ],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"), ("te", "gzip")],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"), ("x", "a\r\nb: c")],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"), ("x", "a\0b")],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), ("x", "y"), (":authority", "localhost")],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"), (":status", "200")],
            [
                (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"),
                ("transfer-encoding", "chunked"),
            ],
        ])
    func malformed(fields: [(String, String)]) async throws {
        try await RunningHTTP.with { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let answer = try await client.answer(client.ask(HTTP2Client.block(fields)))
            #expect(answer.reset != nil || answer.status == "400")
            #expect(try await client.answer(client.ask("GET", "/")).status == "200")
        }
    }

    @Test("whose body is not of the length that was declared are reset")
    func wrongLength() async throws {
        try await RunningHTTP.with(.echoing) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            for body in [[UInt8](repeating: 1, count: 4), [UInt8](repeating: 1, count: 6)] {
                let stream = try await client.ask("POST", "/", [("content-length", "5")], body: body)
                #expect(try await client.answer(stream).reset == 1)
            }
        }
    }
}
