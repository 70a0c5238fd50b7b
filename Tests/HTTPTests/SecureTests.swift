import EventLoops
import TLS
import TestSupport
import TestTools
import Testing

@testable import HTTP

@Suite("P37 HTTP in TLS", .timeLimit(.minutes(3)))
struct SecureTests {
    private let server: TLSContext
    private let client: TLSContext

    init() throws {
        let certificates = try TestCertificates.shared.get()
        server = try TLSContext(
            .server, .init(certificate: certificates.server.certificate, key: certificates.server.key), for: .web)
        client = try TLSContext(.client, .init(authorities: certificates.authority), for: .web)
    }

    private func connect(_ http: RunningHTTP, receiveBytes: Int32? = nil) async throws -> HTTPSocket {
        try await HTTPSocket(connectingTo: http.port, receiveBytes: receiveBytes, tls: client)
    }

    @Test("requests are answered one after the other, and a client's address is its own")
    func requests() async throws {
        let responder = ScriptedResponder { HTTPResponse(200, text: "\($0.method) \($0.path) of \($0.peer)") }
        try await RunningHTTP.with(responder, tls: server) { http in
            let client = try await connect(http)
            for path in ["/", "/a", "/b"] {
                let reply = try await client.ask("GET", path)
                #expect(reply.status == 200 && reply.text == "GET \(path) of 127.0.0.1\n")
            }
            // Several at once.
            try await client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.reply().text.hasPrefix("GET /1"))
            #expect(try await client.reply().text.hasPrefix("GET /2"))
            try await client.endSending()
            #expect(try await client.rest().isEmpty)
            #expect(await http.isEmptySoon())
        }
    }

    @Test("bodies of any size go both ways whole", arguments: [0, 1, 16_383, 16_384, 16_385, 300_000, 6 << 20])
    func bodies(size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await RunningHTTP.with(.echoing, tls: server) { http in
            let client = try await connect(http)
            for _ in 1...2 {
                try await client.send("POST", "/", size == 0 ? [("Content-Length", "0")] : [], body: body)
                #expect(try await client.reply().body == body)
            }
        }
    }

    @Test("a client that does not read stops the answer, and not others; then it gets all")
    func backPressure() async throws {
        let written = Tally()
        let responder = ScriptedResponder { request in
            guard request.path == "/stream" else { return HTTPResponse(200, text: "here") }
            let body = HTTPResponse.Body.stream(count: nil) { writer in
                for _ in 0..<256 {
                    try await writer.write([UInt8](repeating: 7, count: 64 << 10))
                    written.add()
                }
            }
            return HTTPResponse(200, body: body)
        }
        try await RunningHTTP.with(responder, tls: server) { http in
            let slow = try await connect(http, receiveBytes: 4096)
            try await slow.send("GET", "/stream")
            #expect(try await slow.head().status == 200)
            #expect(try await connect(http).ask("GET", "/").text == "here\n")
            #expect(written.count < 200, "16 MiB are not held for it")
            var count = 0
            while case let chunk = try await slow.chunk(), !chunk.isEmpty { count += chunk.count }
            #expect(count == 16 << 20)
        }
    }

    @Test("a client that ends its side still gets its answer", arguments: [true, false])
    func halfClosed(announces: Bool) async throws {
        let held = Tally()
        let responder = ScriptedResponder { request in
            try? await held.wait()
            return HTTPResponse(200, text: "late")
        }
        try await RunningHTTP.with(responder, limits: { $0.unwatched = .seconds(60) }, tls: server) { http in
            let client = try await connect(http)
            try await client.send("GET", "/", [("Connection", "close")])
            if announces { try await client.endSending() } else { client.socket.endSending() }
            held.add()
            #expect(try await client.reply().text == "late\n")
            #expect(try await client.rest().isEmpty)
            #expect(await http.isEmptySoon())
        }
    }

    @Test(
        "plain text is not answered",
        arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{6}nonono"])
    func plain(text: String) async throws {
        try await RunningHTTP.with(tls: server) { http in
            let client = try await http.connect()
            try await client.send(text)
            let bytes = try await client.rest()
            // An alert at most.
            #expect(!String(decoding: bytes, as: UTF8.self).contains("HTTP"))
            #expect(await http.isEmptySoon())
        }
    }

    @Test(
        "a handshake that is not done in time is cut",
        arguments: [[], [0x16, 3, 1], [0x16, 3, 1, 0x40, 0, 1, 0, 0x3F]])
    func slowHandshake(bytes: [UInt8]) async throws {
        try await RunningHTTP.with(limits: { $0.patience = .milliseconds(300) }, tls: server) { http in
            let start = MonotonicTime.now
            let client = try await http.connect()
            try? await client.send(bytes)
            #expect(try await client.rest().isEmpty)
            #expect(MonotonicTime.now.since(start) >= .milliseconds(250))
            #expect(await http.isEmptySoon())
        }
    }

    @Test(
        "a request that does not come in time, and a reader that takes nothing, are cut too", arguments: [true, false])
    func slow(sends: Bool) async throws {
        let large = ScriptedResponder { _ in HTTPResponse(200, body: .bytes([UInt8](repeating: 1, count: 8 << 20))) }
        let change = { (limits: inout HTTPLimits) in
            limits.patience = .seconds(3)
            limits.slowestRate = 1 << 30
        }
        try await RunningHTTP.with(large, limits: change, tls: server) { http in
            let client = try await connect(http, receiveBytes: 4096)
            // On a machine that is busy for so long it is cut before it has sent anything.
            if sends { try? await client.send("GET", "/") } else { try? await client.send("GET /") }
            #expect(await http.isEmptySoon())
        }
    }

    @Test("clients that break off leave nothing behind", arguments: [true, false])
    func brokenOff(isReset: Bool) async throws {
        // libmicrohttpd does not see the end of a client that sent some bytes right before it: patience ends that one.
        try await RunningHTTP.with(limits: { $0.patience = .seconds(3) }, tls: server) { http in
            for text in ["", "GET /", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"] {
                let client = try await connect(http)
                try? await client.send(text)
                if isReset { client.socket.reset() } else { client.socket.endSending() }
                #expect(await http.isEmptySoon(), "\(text)")
            }
        }
    }

    @Test("what the gate refuses is refused, and the answer arrives")
    func refused() async throws {
        try await RunningHTTP.with(tls: server) { http in
            let client = try await connect(http)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n")
            #expect(try await client.reply().status == 400)
            #expect(try await client.rest().isEmpty)
            #expect(await http.isEmptySoon())
        }
    }

    @Test("a server that stops lets the last answer arrive", arguments: 0..<4)
    func stop(round: Int) async throws {
        let size = 4 << 20
        let asked = Tally()
        let responder = ScriptedResponder { _ in
            asked.add()
            return HTTPResponse(200, body: .bytes([UInt8](repeating: 1, count: size)))
        }
        try await RunningHTTP.with(responder, tls: server) { http in
            let client = try await connect(http)
            try await client.send("GET", "/")
            try await asked.wait()
            async let stopped: Void = http.server.shutDown(grace: .seconds(20))
            #expect(try await client.reply().body.count == size)
            await stopped
        }
    }
}
