import TestSupport
import Testing

@testable import HTTP

@Suite("P37 bodies that are too long", .timeLimit(.minutes(3)))
struct BodyLimitTests {
    private static let limit = 100_000
    private static let chunkedHead = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func with(_ body: (RunningHTTP) async throws -> Void) async throws {
        try await RunningHTTP.with(.echoing, limits: { $0.bodyBytes = limit }) { http in
            try await body(http)
            #expect(await http.isEmptySoon(), "what the bodies took is given back")
        }
    }

    private static func chunks(_ bytes: Int) -> [UInt8] {
        var text = Array("\(String(1000, radix: 16))\r\n".utf8) + [UInt8](repeating: 7, count: 1000) + [13, 10]
        text = Array(repeatElement(text, count: bytes / 1000).joined())
        return text + Array("0\r\n\r\n".utf8)
    }

    @Test("a body of just the limit is taken")
    func atLimit() async throws {
        try await Self.with { http in
            let client = try await http.connect()
            let body = [UInt8](repeating: 7, count: Self.limit)
            #expect(try await client.ask("POST", "/", body: body).body == body)
            try await client.send(Array(Self.chunkedHead.utf8) + Self.chunks(Self.limit))
            #expect(try await client.reply().body == body)
        }
    }

    @Test("one whose length is told to be over it is refused before it comes, and the connection closed")
    func told() async throws {
        try await Self.with { http in
            for expectation in ["", "Expect: 100-continue\r\n"] {
                let client = try await http.connect()
                try await client.send(
                    "POST / HTTP/1.1\r\nHost: x\r\n\(expectation)Content-Length: \(Self.limit + 1)\r\n\r\n")
                let reply = try await client.reply()
                #expect(reply.status == 413)
                #expect(reply.text.contains("\(Self.limit) bytes"))
                #expect(reply["x-refused"] == "POST /", "the responder says it its way")
                #expect(try await client.rest().isEmpty)
            }
        }
    }

    @Test("a request may have a limit of its own, with its own words, and none above that of all")
    func own() async throws {
        for (own, sentence) in [(10, "ten are enough"), (Self.limit + 1, "the body is longer than the 100000 bytes")] {
            var responder = ScriptedResponder.echoing
            responder.bodyLimit = HTTPBodyLimit(own, "ten are enough")
            try await RunningHTTP.with(responder, limits: { $0.bodyBytes = Self.limit }) { http in
                let most = min(own, Self.limit)
                let client = try await http.connect()
                #expect(try await client.ask("POST", "/", body: [UInt8](repeating: 7, count: most)).status == 200)
                try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(most + 1)\r\n\r\n")
                let reply = try await client.reply()
                #expect(reply.status == 413 && reply.text.contains(sentence), "\(reply.text)")
            }
        }
    }

    @Test("a client that sends it all the same reads why it was not taken", arguments: [1, 20, 200])
    func sentAllTheSame(times: Int) async throws {
        try await Self.with { http in
            let client = try await http.connect()
            let body = [UInt8](repeating: 7, count: Self.limit * times + 1)
            // It may find the connection closed before it is through.
            try? await client.send("POST", "/", body: body)
            #expect(try await client.reply().status == 413)
        }
    }

    @Test("one that turns out to be over it is refused at its end, and the connection goes on or is closed")
    func turnsOut() async throws {
        try await Self.with { http in
            let client = try await http.connect()
            try await client.send(Array(Self.chunkedHead.utf8) + Self.chunks(Self.limit + 1000))
            let reply = try await client.reply()
            #expect(reply.status == 413 && reply["x-refused"] == "POST /")
            if !reply.closes { #expect(try await client.ask("POST", "/", body: [1]).body == [1]) }
        }
    }

    @Test("one that does not end is cut off")
    func endless() async throws {
        try await Self.with { http in
            let client = try await http.connect()
            try await client.send(Self.chunkedHead)
            let chunk = Array(Self.chunks(100_000).dropLast(5))
            await #expect(throws: RawSocketError.self) {
                for _ in 0..<1000 { try await client.send(chunk) }
            }
        }
    }

    @Test("when all bodies together are too many, a client is told to come again, and the others go on")
    func allBodies() async throws {
        try await RunningHTTP.with(memory: 400 << 10) { http in
            let body = [UInt8](repeating: 7, count: 100_000)
            let first = try await http.connect()
            try await first.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
            try await first.send(Array(body.dropLast()))
            #expect(await eventually { http.heldBytes >= 99_999 })
            let second = try await http.connect()
            let refused = try await second.ask("POST", "/", body: body)
            #expect(refused.status == 503)
            #expect(refused["retry-after"] == "1" && refused["x-refused"] == "POST /")
            try await first.send([7])
            #expect(try await first.reply().text.contains("100000 bytes"))
            let third = try await http.connect()
            #expect(await eventually { http.heldBytes == 0 })
            #expect(try await third.ask("POST", "/", body: body).text.contains("100000 bytes"))
        }
    }

    @Test("E4 when there is no memory for a body, the one ends that comes slowest")
    func slowest() async throws {
        let change: (inout HTTPLimits) -> Void = {
            $0.evictedAfter = .zero; $0.evictedRate = .max
        }
        try await RunningHTTP.with(limits: change, memory: 400 << 10) { http in
            let body = [UInt8](repeating: 7, count: 100_000)
            let slow = try await http.connect()
            try await slow.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
            try await slow.send(Array(body.dropLast()))
            #expect(await eventually { http.heldBytes >= 99_999 })
            #expect(try await http.connect().ask("POST", "/", body: body).text.contains("100000 bytes"))
            try? await slow.send([7])
            let rest = String(decoding: try await slow.rest(), as: UTF8.self)
            #expect(!rest.contains("200"), "what is left of it is nobody's request: \(rest)")
        }
    }

    @Test("a client that leaves in the middle of its body gives back what it took")
    func leaves() async throws {
        try await Self.with { http in
            for isReset in [false, true] {
                let client = try await http.connect()
                try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
                try await client.send([UInt8](repeating: 1, count: 50_000))
                #expect(await eventually { http.heldBytes >= 50_000 })
                if isReset { client.socket.reset() } else { client.socket.endSending() }
                // libmicrohttpd takes a short read for an empty socket, and may see its end only when a minute is over.
                #expect(await eventually(within: .seconds(100)) { http.heldBytes == 0 })
            }
        }
    }
}
