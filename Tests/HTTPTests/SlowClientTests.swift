import EventLoops
import TestSupport
import Testing

@testable import HTTP

@Suite("P37 clients that take their time", .timeLimit(.minutes(3)))
struct SlowClientTests {
    /// A client that sends `head`, then a byte every few milliseconds until it is shut; gives how long it was let. On a
    /// busy machine it may be shut before it has sent anything.
    private func drip(_ http: RunningHTTP, _ head: String, _ byte: UInt8) async throws -> Duration {
        let start = MonotonicTime.now
        let client = try await http.connect()
        try? await client.send(head)
        // Waits for the end, and sends when it does not come.
        while try await !client.socket.isReadable(within: 20) { try? await client.send([byte]) }
        return MonotonicTime.now.since(start)
    }

    @Test(
        "over one request, a byte at a time, are shut out",
        arguments: [
            "", "GET /", "GET / HTTP/1.1\r\nHost: x\r\nX: ",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFF\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        ])
    func loris(head: String) async throws {
        try await RunningHTTP.with(limits: { $0.patience = .milliseconds(300) }) { http in
            let time = try await drip(http, head, UInt8(ascii: "a"))
            #expect(time >= .milliseconds(250), "\(time)")
            #expect(await http.isEmptySoon())
        }
    }

    @Test("over a body have the time that their bytes need")
    func allowed() async throws {
        let change = { (limits: inout HTTPLimits) in (limits.patience, limits.slowestRate) = (.seconds(3), 5) }
        try await RunningHTTP.with(limits: change) { http in
            let client = try await http.connect()
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n")
            try await client.send([UInt8](repeating: 1, count: 100))
            // A hundred bytes have twenty seconds.
            #expect(try await client.socket.isReadable(within: 4000) == false)
            try await client.send([1])
            #expect(try await client.reply().text.hasSuffix("101 bytes\n"))
        }
    }

    @Test("between two requests are shut out, and those that never send one")
    func idle() async throws {
        try await RunningHTTP.with(limits: { $0.patience = .seconds(3) }) { http in
            let silent = try await http.connect()
            let used = try await http.connect()
            #expect(try await used.ask("GET", "/").status == 200)
            #expect(try await silent.rest().isEmpty)
            #expect(try await used.rest().isEmpty)
            #expect(await http.isEmptySoon())
        }
    }

    @Test("do not count while the answer is made")
    func slowResponder() async throws {
        let held = Tally()
        let responder = ScriptedResponder { _ in
            try? await held.wait()
            return HTTPResponse(200)
        }
        try await RunningHTTP.with(responder, limits: { $0.patience = .seconds(3) }) { http in
            let client = try await http.connect()
            try await client.send("GET", "/")
            #expect(try await client.socket.isReadable(within: 4000) == false)
            held.add()
            #expect(try await client.reply().status == 200)
        }
    }

    @Test("over reading a big answer are shut out")
    func slowReader() async throws {
        let change = { (limits: inout HTTPLimits) in
            (limits.patience, limits.slowestRate) = (.milliseconds(100), 100 << 20)
        }
        let responder = ScriptedResponder { _ in HTTPResponse(200, body: .bytes([UInt8](repeating: 1, count: 20 << 20)))
        }
        try await RunningHTTP.with(responder, limits: change) { http in
            let client = try await http.connect(receiveBytes: 4096)
            try? await client.send("GET", "/")
            #expect(await http.isEmptySoon())
            #expect(try await client.rest().count < 20 << 20)
        }
    }

    @Test("beyond the number that is allowed are closed at once; when one leaves, the next is served")
    func tooMany() async throws {
        try await RunningHTTP.with(limits: { $0.connections = 10 }) { http in
            var clients: [HTTPSocket] = []
            for _ in 0..<5 { clients.append(try await http.connect()) }
            for client in clients { #expect(try await client.ask("GET", "/").status == 200) }
            #expect(try await http.connect().rest().isEmpty)
            #expect(try await clients[0].ask("GET", "/").status == 200)
            clients.removeLast()
            while await http.load.connections == 5 { await Task.yield() }
            #expect(try await http.connect().ask("GET", "/").status == 200)
        }
    }
}
