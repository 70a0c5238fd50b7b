import TestSupport
import Testing

@testable import HTTP

@Suite("P37 bodies that are written while they are sent", .timeLimit(.minutes(3)))
struct StreamTests {
    private static func stream(
        count: Int? = nil, _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> ScriptedResponder {
        ScriptedResponder { _ in HTTPResponse(200, body: .stream(count: count, write)) }
    }

    @Test("arrive as they are written, and the connection goes on behind them")
    func asWritten() async throws {
        let (told, asked) = (Tally(), Tally())
        let responder = Self.stream { writer in
            for number in 0..<3 {
                try await asked.wait(for: number + 1)
                try await writer.write(Array("part \(number)".utf8))
                told.add()
            }
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            try await client.send("GET", "/")
            #expect(try await client.head()["transfer-encoding"] == "chunked")
            for number in 0..<3 {
                asked.add()
                #expect(try await client.chunk() == Array("part \(number)".utf8))
            }
            #expect(try await client.chunk().isEmpty)
            #expect(try await client.ask("GET", "/").text == "part 0part 1part 2")
        }
    }

    @Test("of a known length are sent with it; one that comes short is cut off, one that is over is cut too")
    func knownLength() async throws {
        let responder = ScriptedResponder { request in
            HTTPResponse(
                200,
                body: .stream(count: 6) { writer in
                    for part in request.path.split(separator: "/") { try await writer.write(Array(part.utf8)) }
                })
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            #expect(try await client.ask("GET", "/abc/def").text == "abcdef")
            #expect(try await client.ask("GET", "/abc/defgh").text == "abcdef")
            try await client.send("GET", "/abc")
            #expect(try await client.head()["content-length"] == "6")
            #expect(try await client.rest() == Array("abc".utf8))
        }
    }

    @Test("of any number and size arrive whole")
    func sizes() async throws {
        let responder = Self.stream { writer in
            for size in 0..<200 { try await writer.write([UInt8](repeating: UInt8(size), count: size * 100)) }
        }
        try await RunningHTTP.with(responder, limits: { $0.streamBytes = 10_000 }) { http in
            let body = try await http.connect().ask("GET", "/").body
            #expect(body == (0..<200).flatMap { [UInt8](repeating: UInt8($0), count: $0 * 100) })
        }
    }

    @Test("may be written by several tasks: what one call wrote stays together")
    func severalWriters() async throws {
        let responder = Self.stream { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for letter in "abcd".utf8 {
                    group.addTask {
                        for _ in 0..<100 { try await writer.write([UInt8](repeating: letter, count: 999) + [10]) }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await RunningHTTP.with(responder, limits: { $0.streamBytes = 5000 }) { http in
            let lines = try await http.connect().ask("GET", "/").body.split(separator: 10)
            #expect(lines.count == 400)
            #expect(lines.allSatisfy { line in line.count == 999 && line.allSatisfy { $0 == line.first } })
        }
    }

    @Test("that fail are seen to be not whole")
    func failing() async throws {
        struct Failure: Error {}
        let responder = Self.stream { writer in
            try await writer.write([1])
            throw Failure()
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            await #expect(throws: RawSocketError.ended) { try await client.ask("GET", "/") }
            #expect(await http.isEmptySoon())
        }
    }

    @Test("wait for a slow reader: what is queued has a bound")
    func backpressure() async throws {
        let written = Tally()
        let block = [UInt8](repeating: 1, count: 16 << 10)
        let responder = ScriptedResponder { request in
            if request.path == "/other" { return HTTPResponse(204) }
            return HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    for _ in 0..<2000 {
                        try await writer.write(block)
                        written.add()
                    }
                })
        }
        try await RunningHTTP.with(responder, limits: { $0.streamBytes = 64 << 10 }) { http in
            let slow = try await http.connect(receiveBytes: 64 << 10)
            try await slow.send("GET", "/")
            #expect(try await slow.head().status == 200)
            let other = try await http.connect()
            // Each round trip is a turn of the only loop: a writer that nothing holds up would be done.
            for _ in 0..<300 { _ = try await other.ask("GET", "/other") }
            // The queue, what the kernel keeps for the socket, and one block.
            #expect(written.count * block.count < 8 << 20, "\(written.count) blocks were written")
            var received = 0
            while true {
                let chunk = try await slow.chunk()
                if chunk.isEmpty { break }
                received += chunk.count
            }
            #expect(received == 2000 * block.count)
        }
    }

    @Test(
        "stop when their reader leaves, whether they wait for news or for room", arguments: [true, false], [0, 1, 2])
    func readerLeaves(isIdle: Bool, how: Int) async throws {
        let stopped = Tally()
        let responder = Self.stream { writer in
            defer { stopped.add() }
            try await writer.write([1])
            if isIdle { try await Tally().wait() }
            while true { try await writer.write([UInt8](repeating: 1, count: 64 << 10)) }
        }
        try await RunningHTTP.with(responder) { http in
            var client: HTTPSocket? = try await http.connect()
            try await client?.send("GET", "/")
            #expect(try await client?.head().status == 200)
            switch how {
            case 0: client = nil
            case 1: client?.socket.reset()
            default:
                // Who sends no more does not listen either, as browsers have it.
                if isIdle { client?.socket.endSending() } else { client = nil }
            }
            try await stopped.wait()
            let isEmpty = await http.isEmptySoon()
            let load = await http.load
            #expect(isEmpty, "idle \(isIdle), how \(how): still holds \(load), \(http.heldBytes) bytes")
        }
    }

    @Test("free their connection when their reader has left, also while an older one stays", arguments: [true, false])
    func readersLeaveOthers(isReset: Bool) async throws {
        let responder = ScriptedResponder { request in
            guard request.path == "/stream" else { return HTTPResponse(200, body: .bytes([1])) }
            return HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    try await writer.write([1])
                    try await Tally().wait()
                })
        }
        try await RunningHTTP.with(responder) { http in
            // libmicrohttpd looks at its oldest connection in each run, needed or not: at this one, that asks nothing.
            let older = try await http.connect()
            #expect(try await older.ask("GET", "/").status == 200)
            for _ in 0..<20 {
                let client = try await http.connect()
                try await client.send("GET", "/stream")
                #expect(try await client.head().status == 200)
                if isReset { client.socket.reset() }
            }
            let isAlone = await http.isEmptySoon(but: 1)
            let load = await http.load
            #expect(isAlone, "still holds \(load)")
        }
    }

    @Test("stop when their reader takes nothing for too long")
    func stuckReader() async throws {
        let stopped = Tally()
        let responder = Self.stream { writer in
            defer { stopped.add() }
            while true { try await writer.write([UInt8](repeating: 1, count: 64 << 10)) }
        }
        try await RunningHTTP.with(responder, limits: { $0.patience = .seconds(3) }) { http in
            let client = try await http.connect(receiveBytes: 4096)
            try await client.send("GET", "/")
            #expect(try await client.head().status == 200)
            try await stopped.wait()
            #expect(await http.isEmptySoon())
        }
    }

    @Test("that have nothing to say for longer than a request may take go on")
    func quiet() async throws {
        let (patience, asked) = (Duration.seconds(3), Tally())
        let responder = Self.stream { writer in
            try await writer.write([1])
            try await asked.wait()
            try await writer.write([2])
        }
        try await RunningHTTP.with(responder, limits: { $0.patience = patience }) { http in
            let client = try await http.connect()
            try await client.send("GET", "/")
            _ = try await client.head()
            #expect(try await client.chunk() == [1])
            #expect(try await client.socket.isReadable(within: 4000) == false)
            asked.add()
            #expect(try await client.chunk() == [2])
            #expect(try await client.chunk().isEmpty)
        }
    }
}
