import Compression
import Contracts
import RPC
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P37 server streams after the Connect protocol", .timeLimit(.minutes(3)))
struct ConnectStreamTests {
    private static let json = ("Content-Type", "application/connect+json")

    private static func envelope(_ flags: UInt8, _ message: [UInt8]) -> [UInt8] {
        [flags, 0, UInt8(message.count >> 16 & 255), UInt8(message.count >> 8 & 255), UInt8(message.count & 255)]
            + message
    }

    private static func envelope(_ flags: UInt8, _ text: String) -> [UInt8] { envelope(flags, Array(text.utf8)) }

    /// The flags and messages of a body.
    private static func read(_ body: [UInt8]) throws -> [(flags: UInt8, message: [UInt8])] {
        var (rest, messages) = (body[...], [(UInt8, [UInt8])]())
        while !rest.isEmpty {
            try #require(rest.count >= 5)
            let length = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
            try #require(rest.count >= 5 + length)
            messages.append((rest[rest.startIndex], Array(rest.dropFirst(5).prefix(length))))
            rest = rest.dropFirst(5 + length)
        }
        return messages
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("come message by message, and an end that says that all went well")
    func json() async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.ask(
                "POST", GatewayHTTP.echoStream, [Self.json], body: Self.envelope(0, #"{"payload":"AQ==","count":3}"#))
            #expect(reply.status == 200 && reply["content-type"] == "application/connect+json")
            let messages = try Self.read(reply.body)
            #expect(messages.map(\.flags) == [0, 0, 0, 2])
            #expect(
                messages.map { Self.text($0.message) } == [
                    #"{"payload":"AQ=="}"#, #"{"payload":"AQ==","index":1}"#, #"{"payload":"AQ==","index":2}"#, "{}",
                ])
        }
    }

    @Test("are passed on from the services behind, packed or not")
    func forwarded() async throws {
        try await RunningGateway.with { gateway in
            for type in ["json", "proto"] {
                let reply = try await gateway.http.ask(
                    "POST", "/waymark.places.v1.PlacesService/RunImport",
                    [("Content-Type", "application/connect+\(type)")],
                    body: Self.envelope(0, type == "json" ? "{}" : ""))
                #expect(try Self.read(reply.body).map(\.flags) == [0, 0, 0, 2])
            }
        }
    }

    @Test("pack what is worth it when the caller takes gzip, and take packed requests")
    func compressed() async throws {
        let payload = [UInt8](repeating: 7, count: 10_000)
        try await RunningGateway.with { gateway in
            let request = Gzip.pack(EchoStreamRequest(payload: payload, count: 2).packedBytes())
            let fields = [
                ("Content-Type", "application/connect+proto"), ("Connect-Content-Encoding", "gzip"),
                ("Connect-Accept-Encoding", "gzip"),
            ]
            let reply = try await gateway.http.ask(
                "POST", GatewayHTTP.echoStream, fields, body: Self.envelope(1, request))
            #expect(reply["connect-content-encoding"] == "gzip")
            let messages = try Self.read(reply.body)
            #expect(messages.map(\.flags) == [1, 1, 2])
            guard case .bytes(let unpacked) = Gzip.unpack(messages[0].message, limit: 1 << 20) else {
                return #expect(Bool(false), "no gzip came")
            }
            #expect(try EchoStreamResponse(packed: unpacked).payload == payload)
        }
    }

    @Test("that fail in their midst say so at the end, behind what came before")
    func failing() async throws {
        var backends = FakeBackends()
        backends.watchPin = { _, responses, _ in
            try await responses.write(WatchPinResponse(version: 1))
            throw RPCError(.notFound, "it is gone", details: StatusDetails(retryAfterMs: 5))
        }
        try await RunningGateway.with(backends) { gateway in
            let reply = try await gateway.http.ask(
                "POST", "/waymark.pins.v1.PinService/WatchPin", [Self.json, ("X-Request-Id", "r7")],
                body: Self.envelope(0, #"{"id":"x"}"#))
            let messages = try Self.read(reply.body)
            #expect(reply.status == 200 && messages.map(\.flags) == [0, 2])
            let end = Self.text(messages[1].message)
            #expect(
                end.hasPrefix(#"{"error":{"code":"not_found","#) && end.contains("it is gone") && end.contains("r7"))
        }
    }

    @Test("that are late end by then")
    func late() async throws {
        let cancelled = Tally()
        var backends = FakeBackends()
        backends.watchPin = { _, _, _ in try await cancelled.addWhenCancelled() }
        try await RunningGateway.with(backends) { gateway in
            let reply = try await gateway.http.ask(
                "POST", "/waymark.pins.v1.PinService/WatchPin", [Self.json, ("Connect-Timeout-Ms", "100")],
                body: Self.envelope(0, "{}"))
            let end = try #require(Self.read(reply.body).last)
            #expect(end.flags == 2 && Self.text(end.message).contains("deadline_exceeded"))
            try await cancelled.wait()
        }
    }

    @Test("end with an error that says so when the gateway stops")
    func stopping() async throws {
        var backends = FakeBackends()
        backends.watchPin = { _, responses, _ in
            try await responses.write(WatchPinResponse(version: 1))
            try await Tally().addWhenCancelled()
        }
        try await RunningGateway.with(backends) { gateway in
            let socket = try await gateway.http.connect()
            try await socket.send(
                "POST", "/waymark.pins.v1.PinService/WatchPin", [Self.json], body: Self.envelope(0, "{}"))
            #expect(try await socket.head().status == 200)
            var body = try await socket.chunk()
            async let closed: Void = gateway.http.door.close(grace: .seconds(60))
            while case let chunk = try await socket.chunk(), !chunk.isEmpty { body += chunk }
            let messages = try Self.read(body)
            #expect(messages.map(\.flags) == [0, 2])
            let end = Self.text(try #require(messages.last).message)
            #expect(end.hasPrefix(#"{"error":{"code":"unavailable","#) && end.contains("the gateway is stopping"))
            await closed
        }
    }

    @Test("are ended, behind the gateway too, when their reader leaves")
    func readerLeaves() async throws {
        let (began, cancelled) = (Tally(), Tally())
        var backends = FakeBackends()
        backends.watchPin = { _, responses, _ in
            try await responses.write(WatchPinResponse(version: 1))
            began.add()
            try await cancelled.addWhenCancelled()
        }
        try await RunningGateway.with(backends) { gateway in
            let socket = try await gateway.http.connect()
            try await socket.send(
                "POST", "/waymark.pins.v1.PinService/WatchPin", [Self.json], body: Self.envelope(0, "{}"))
            #expect(try await socket.head().status == 200)
            try await began.wait()
            socket.socket.reset()
            try await cancelled.wait()
        }
    }

    @Test("that are refused before their call end with the reason too: the body is too long, the caller asks too often")
    func refused() async throws {
        try await RunningGateway.with(settings: ["--rate", "1"]) { gateway in
            let long = ("Content-Length", "\(6 << 20 + 1)")
            let reply = try await gateway.http.ask("POST", GatewayHTTP.echoStream, [Self.json, long])
            #expect(reply.status == 200 && reply["content-type"] == "application/connect+json")
            let end = try #require(Self.read(reply.body).first)
            #expect(end.flags == 2 && Self.text(end.message).contains("resource_exhausted"))
            // One a second is soon too few.
            var last = reply
            repeat {
                last = try await gateway.http.ask("POST", GatewayHTTP.echoStream, [Self.json])
            } while !last.text.contains("too many requests")
            #expect(last.status == 200 && last.text.contains("resource_exhausted"))
            let unary = try await gateway.http.ask("POST", GatewayHTTP.echo, [GatewayHTTP.json, long])
            #expect([413, 429].contains(unary.status) && unary.failure?.code == "resource_exhausted")
        }
    }

    @Test(
        "with a request that is no message say so at the end",
        arguments: [
            [0], [0, 0, 0, 0], envelope(0, "{}").dropLast(), envelope(0, "{}") + [1],
            envelope(2, "{}"), envelope(4, "{}"), envelope(255, "{}"), [0, 255, 255, 255, 255, 1],
            [0, 127, 255, 255, 255], envelope(0, "nonsense"), envelope(1, "{}"),
            envelope(0, #"{"nothing":1}"#),
        ] as [[UInt8]])
    func badRequests(body: [UInt8]) async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.ask(
                "POST", GatewayHTTP.echoStream, [Self.json, ("Connect-Content-Encoding", "gzip")], body: body)
            let messages = try Self.read(reply.body)
            #expect(reply.status == 200 && messages.map(\.flags) == [2])
            #expect(messages.first.map { Self.text($0.message).contains(#""code":"invalid_argument""#) } == true)
        }
    }
}
