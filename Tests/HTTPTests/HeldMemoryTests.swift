import Budgets
import EventLoops
import TLS
import TestSupport
import TestTools
import Testing

@testable import HTTP

/// What a server holds for a client and what it charges the client for are one number, for HTTP.
@Suite("E15 held memory is charged memory, over HTTP", .timeLimit(.minutes(3)))
struct HeldMemoryTests {
    private static func bytes(_ http: RunningHTTP, _ kind: MemoryKind) -> Int {
        http.server.memory.usage.kinds[kind.rawValue].bytes
    }

    @Test("a long head is charged as long as its request is worked on, and a stream's block with it")
    func heads() async throws {
        let end = Tally()
        let responder = ScriptedResponder { _ in
            HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    try await writer.write(Array("begun".utf8))
                    try await end.wait()
                })
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            try await client.send("GET", "/", [("A", String(repeating: "a", count: 12_000))])
            _ = try await client.head()
            #expect(Self.bytes(http, .bodies) >= 12_000)
            #expect(Self.bytes(http, .answers) >= 8 << 10)
            end.add()
            _ = try await client.chunk()
            #expect(await http.isEmptySoon(but: 1))
        }
    }

    @Test("a line that is not whole is charged, and given back when it is")
    func lines() async throws {
        try await RunningHTTP.with { http in
            let client = try await http.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n")
            #expect(await eventually { Self.bytes(http, .connections) > 0 })
            let before = Self.bytes(http, .connections)
            // More than is held is granted, by pieces that depend on the heap.
            let held = HTTPLimits().headBytes + 12_000
            #expect(before < held)
            try await client.send("A: \(String(repeating: "a", count: 12_000))")
            #expect(await eventually { Self.bytes(http, .connections) >= held })
            try await client.send("\r\n\r\n")
            #expect(try await client.reply().status == 200)
            #expect(Self.bytes(http, .connections) == before)
        }
    }

    @Test("a body is charged until its answer is known, not until that is read")
    func bodies() async throws {
        let answer = [UInt8](repeating: 7, count: 16 << 20)
        let responder = ScriptedResponder { _ in HTTPResponse(200, body: .bytes(answer)) }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect(receiveBytes: 4096)
            try await client.send("POST", "/", body: [UInt8](repeating: 1, count: 1 << 20))
            #expect(await eventually { Self.bytes(http, .answers) >= 16 << 20 })
            #expect(Self.bytes(http, .bodies) < 100_000)
        }
    }

    @Test("a half-read part of a stream is charged whole: it is freed whole")
    func halfRead() {
        var queue = BodyQueue()
        queue.append([UInt8](repeating: 7, count: 100_000)[...])
        var room = [UInt8](repeating: 0, count: 99_999)
        let next = room.withUnsafeMutableBytes { unsafe queue.read(into: $0) }
        #expect(next == .bytes(99_999) && queue.count == 1 && queue.heldBytes == 100_000)
        _ = room.withUnsafeMutableBytes { unsafe queue.read(into: $0) }
        #expect(queue.heldBytes == 0)
    }

    @Test("a handshake of TLS that goes no further is charged with all that it may need; a session with less")
    func handshakes() async throws {
        let certificates = try TestCertificates.shared.get()
        let server = try TLSContext(
            .server, .init(certificate: certificates.server.certificate, key: certificates.server.key), for: .web)
        let client = try TLSContext(.client, .init(authorities: certificates.authority), for: .web)
        try await RunningHTTP.with(tls: server) { http in
            let silent = try await RawSocket(connectingTo: http.port)
            #expect(await eventually { Self.bytes(http, .connections) >= TLSSession.handshakeBytes })
            let before = Self.bytes(http, .connections)
            let socket = try await HTTPSocket(connectingTo: http.port, tls: client)
            #expect(try await socket.ask("GET", "/").status == 200)
            #expect(Self.bytes(http, .connections) < before + TLSSession.handshakeBytes)
            silent.reset()
        }
    }
}
