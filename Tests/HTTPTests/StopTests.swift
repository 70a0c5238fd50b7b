import EventLoops
import TestSupport
import Testing

@testable import HTTP

@Suite("P37 P41 a server that stops", .timeLimit(.minutes(3)))
struct StopTests {
    private static let long = Duration.seconds(60)

    /// Answers "/slow" when it is told to, or its task is cancelled; streams "/stream" until then; the rest at once.
    private struct Holding {
        let began = Tally()
        let goOn = Tally()
        let cancelled = Tally()

        var responder: ScriptedResponder {
            ScriptedResponder { request in
                if request.path == "/stream" { return HTTPResponse(200, body: .stream(count: nil, write)) }
                if request.path == "/slow" { try? await hold() }
                return HTTPResponse(200, text: request.path)
            }
        }

        private func write(_ writer: HTTPBodyWriter) async throws {
            try await writer.write([1])
            try await hold()
        }

        private func hold() async throws {
            began.add()
            do {
                try await goOn.wait()
            } catch {
                cancelled.add()
                throw error
            }
        }
    }

    @Test("lets a request end that it works on, closes its connection, and takes no new one")
    func request() async throws {
        let holding = Holding()
        try await RunningHTTP.with(holding.responder) { http in
            let client = try await http.connect()
            try await client.send("GET", "/slow")
            try await holding.began.wait()
            let daemon = http.server.daemons[0]
            async let stopped: Void = http.server.shutDown(grace: Self.long)
            while await !daemon.isDraining { await Task.yield() }
            await #expect(throws: (any Error).self) {
                // The socket may still be open for a moment, with nobody behind it.
                while true { _ = try await http.connect().ask("GET", "/") }
            }
            holding.goOn.add()
            let reply = try await client.reply()
            #expect(reply.text == "/slow\n" && reply.closes)
            #expect(try await client.rest().isEmpty)
            await stopped
            #expect(holding.cancelled.count == 0)
        }
    }

    @Test("ends streams at once, and connections that idle")
    func streams() async throws {
        let holding = Holding()
        try await RunningHTTP.with(holding.responder, loops: 2) { http in
            var clients: [HTTPSocket] = []
            for path in ["/stream", "/stream", "/", "/stream", "/"] {
                let client = try await http.connect()
                try await client.send("GET", path)
                #expect(try await client.head().status == 200)
                clients.append(client)
            }
            clients.append(try await http.connect())
            try await holding.began.wait(for: 3)
            await http.server.shutDown(grace: Self.long)
            #expect(holding.cancelled.count == 3)
            for client in clients { _ = try await client.rest() }
        }
    }

    @Test("tells the streams of all its loops at once, whatever is still being answered on one")
    func allLoops() async throws {
        let holding = Holding()
        try await RunningHTTP.with(holding.responder, loops: 2) { http in
            var clients: [HTTPSocket] = []
            // Each loop in turn gets a client.
            for path in ["/slow", "/slow", "/stream", "/stream"] {
                let client = try await http.connect()
                try await client.send("GET", path)
                clients.append(client)
            }
            try await holding.began.wait(for: 4)
            async let stopped: Void = http.server.shutDown(grace: Self.long)
            try await holding.cancelled.wait(for: 2)
            holding.goOn.add()
            await stopped
            for client in clients { _ = try await client.rest() }
        }
    }

    @Test("waits no longer than it was told: not for work, not for readers, not for those that are still sending")
    func grace() async throws {
        let holding = Holding()
        let stubborn = ScriptedResponder { request in
            if request.path == "/big" { return HTTPResponse(200, body: .bytes([UInt8](repeating: 1, count: 20 << 20))) }
            if request.path == "/flood" {
                return HTTPResponse(
                    200,
                    body: .stream(count: nil) { writer in
                        while true { try await writer.write([UInt8](repeating: 1, count: 64 << 10)) }
                    })
            }
            if request.path == "/deaf" {
                holding.began.add()
                await Task.detached { try? await holding.goOn.wait() }.value
                return HTTPResponse(200)
            }
            return await holding.responder.respond(to: request)
        }
        try await RunningHTTP.with(stubborn) { http in
            var clients: [HTTPSocket] = []
            for path in ["/big", "/flood", "/slow", "/deaf", "/slow"] {
                let client = try await http.connect(receiveBytes: 4096)
                try await client.send("GET", path)
                if path == "/big" || path == "/flood" { _ = try await client.head() }
                clients.append(client)
            }
            let sending = try await http.connect()
            try await sending.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab")
            try await holding.began.wait(for: 3)
            await http.server.shutDown(grace: .milliseconds(100))
            #expect(holding.cancelled.count == 2)
            for client in clients { _ = try? await client.rest() }
            holding.goOn.add()
        }
    }

    @Test(
        "while many clients ask: each gets whole answers until its connection ends, and nothing is left",
        arguments: 0..<10)
    func races(round: Int) async throws {
        let responder = ScriptedResponder { request in
            for _ in 0..<(request.path.utf8.count % 3) { await Task.yield() }
            if request.path.hasPrefix("/stream") {
                return HTTPResponse(
                    200,
                    body: .stream(count: nil) { writer in
                        for _ in 0..<5 {
                            try await writer.write(Array("12345".utf8))
                            await Task.yield()
                        }
                    })
            }
            return HTTPResponse(200, body: .bytes(request.body))
        }
        let asked = Tally()
        try await RunningHTTP.with(responder, loops: 2) { http in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        // Ends when the server has: then there is nobody to connect to.
                        while let client = try? await http.connect() {
                            _ = try? await Self.use(client, number, asked)
                        }
                    }
                }
                group.addTask {
                    try await asked.wait(for: 100 + 37 * round)
                    await http.server.shutDown(grace: round % 2 == 0 ? Self.long : .zero)
                }
                try await group.waitForAll()
            }
        }
    }

    private static func use(_ client: HTTPSocket, _ number: Int, _ asked: Tally) async throws {
        for _ in 0..<8 {
            for _ in 0..<3 { try await client.send("POST", "/\(number)", body: Array("body".utf8)) }
            for _ in 0..<3 {
                #expect(try await client.reply().text == "body")
                asked.add()
            }
            if number % 2 == 0 { _ = try await client.ask("GET", "/stream") }
        }
    }

    @Test("twice, or without having been started, is nothing special")
    func twice() async throws {
        try await RunningHTTP.with { http in
            await http.server.shutDown(grace: .zero)
            await http.server.shutDown(grace: .zero)
        }
        let group = try EventLoopGroup(count: 1)
        await HTTPServer(ScriptedResponder.telling, group: group).shutDown(grace: .zero)
        group.shutDown()
    }
}
