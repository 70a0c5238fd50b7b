import BaseContracts
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("Clients that break the protocol", .timeLimit(.minutes(3)))
struct MalformedPeerTests {
    /// What a client sends after its hello, and a part of the reason that it is told.
    struct Violation: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let reason: String
        var testDescription: String { name }
    }

    static let violations = [
        Violation(name: "HTTP", bytes: Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), reason: "speaks HTTP"),
        Violation(name: "garbage", bytes: Array("no frames of any kind".utf8), reason: "version"),
        Violation(name: "zeros", bytes: [UInt8](repeating: 0, count: 100), reason: "length"),
        Violation(name: "another version", bytes: Hex.bytes("00000008 02060000 00000000"), reason: "version 2"),
        Violation(name: "unknown kind", bytes: Hex.bytes("00000008 01630000 00000000"), reason: "kind 99"),
        Violation(name: "unknown flags", bytes: Hex.bytes("00000008 01060800 00000000"), reason: "flags 8"),
        Violation(name: "a huge length", bytes: Hex.bytes("7fffffff 01020100 00000001"), reason: "at most 4194304"),
        Violation(name: "a second hello", bytes: WireFrame.hello.bytes, reason: "second hello"),
        Violation(name: "a message", bytes: WireFrame(.message, call: 1).bytes, reason: "message"),
        Violation(name: "a status", bytes: WireFrame(.status, call: 1).bytes, reason: "status"),
        Violation(name: "a call with id 0", bytes: WireFrame(.call, call: 0, isEnd: true).bytes, reason: "call id 0"),
        Violation(
            name: "a request behind the last one",
            bytes: WireFrame.streamingCall(1, EchoServiceMethods.echoEach).bytes
                + [true, false].flatMap { WireFrame(.message, call: 1, isEnd: $0).bytes }, reason: "behind the last"),
        Violation(
            name: "a request behind the only one",
            bytes: WireFrame.call(1, EchoServiceMethods.echo, EchoRequest()).bytes
                + WireFrame(.message, call: 1).bytes, reason: "behind the last"),
        Violation(
            name: "an id twice",
            bytes: [1, 1].flatMap { WireFrame.call($0, EchoServiceMethods.echo, EchoRequest()).bytes },
            reason: "call id 1"),
    ]

    @Test("are told why, then the connection is closed", arguments: violations)
    func told(violation: Violation) async throws {
        try await TestServer.with(.echo()) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(WireFrame.hello.bytes + violation.bytes)
            let last = try #require(try await socket.receiveAll().last)
            #expect(last.header.kind == .goAway)
            let reason = try GoAway(packed: last.payload).reason
            #expect(reason.contains(violation.reason), "\(reason)")
        }
    }

    @Test("do not hurt others")
    func neighbours() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                for violation in Self.violations {
                    let socket = try await RawSocket(connectingTo: server.port)
                    try await socket.send(WireFrame.hello.bytes + violation.bytes)
                    _ = try await EchoServiceClient(client).echo(EchoRequest())
                    _ = try await socket.receiveAll()
                }
                _ = try await EchoServiceClient(client).echo(EchoRequest())
                #expect(await eventually { server.server.connectionCount == 1 })
            }
        }
    }

    @Test("with anything but a hello first are told so", arguments: FrameKind.allCases.filter { $0 != .hello })
    func noHello(kind: FrameKind) async throws {
        try await TestServer.with(.echo()) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(WireFrame(kind, call: 1))
            let last = try #require(try await socket.receiveAll().last)
            #expect(try GoAway(packed: last.payload).reason == "the first frame must be a hello")
        }
    }

    @Test("with a hello that does not decode are told so")
    func brokenHello() async throws {
        try await TestServer.with(.echo()) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(WireFrame(.hello, [0xff]))
            let last = try #require(try await socket.receiveAll().last)
            #expect(try GoAway(packed: last.payload).reason.contains("hello does not decode"))
        }
    }

    @Test("have their open calls cancelled")
    func openCalls() async throws {
        let (started, cancelled) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { _, _ in
            started.add()
            try await cancelled.addWhenCancelled()
        })
        try await TestServer.with(.echo(service)) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest()))
            try await started.wait()
            try await socket.send([0, 0, 0, 0] + [UInt8](repeating: 0, count: 8))
            try await cancelled.wait()
            let last = try #require(try await socket.receiveAll().last)
            #expect(try GoAway(packed: last.payload).lastCallId == 1, "call 1 ran: nobody may send it again elsewhere")
        }
    }

    @Test("only in a call lose that call, not the connection")
    func brokenCall() async throws {
        try await TestServer.with(.echo()) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, WireFrame(.call, call: 1, isEnd: true, [0xff, 0xff]))
            #expect(try await socket.receive(.status).status == .invalidArgument)
            var call = Call(method: EchoServiceMethods.echo.path, timeoutUs: 1_000_000)
            call.request = [0x0a, 0x05]
            try await socket.send(WireFrame(.call, call: 2, isEnd: true, call))
            #expect(try await socket.receive(.status).status == .invalidArgument)
            try await socket.send(WireFrame(.call, call: 3, isEnd: true))
            #expect(try await socket.receive(.status).status == .unimplemented)
            try await socket.send(.call(4, EchoServiceMethods.echo, EchoRequest(payload: [1])))
            let answer = try await socket.receive()
            #expect(answer == WireFrame(.message, call: 4, isEnd: true, EchoResponse(payload: [1])))
        }
    }

    @Test("only in a stream of requests lose that call, not the connection")
    func brokenStream() async throws {
        var limits = Limits()
        limits.streamCredit = 100
        try await TestServer.with(.echo(ScriptedEcho(each: { _, _, _ in try await Tally().wait() })), limits: limits) {
            server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .streamingCall(1, EchoServiceMethods.echo))
            #expect(try await socket.receive(.status).status == .invalidArgument, "one request, and the CALL has END")
            try await socket.send(
                .streamingCall(2, EchoServiceMethods.echoEach), WireFrame(.message, call: 2, [0x0a, 0x05]))
            #expect(try await socket.receive(.status).status == .invalidArgument, "a request that does not decode")
            try await socket.send(.streamingCall(3, EchoServiceMethods.echoEach, request: [1]))
            #expect(try await socket.receive(.status).status == .invalidArgument, "a request in the CALL of a stream")
            let request = EchoEachRequest(payload: [UInt8](repeating: 1, count: 90))
            try await socket.send(
                .streamingCall(4, EchoServiceMethods.echoEach), WireFrame(.message, call: 4, request),
                WireFrame(.message, call: 4, request))
            #expect(try await socket.receive(.status).status == .resourceExhausted, "more than the credit of 100 bytes")
            try await socket.send(.call(5, EchoServiceMethods.echo, EchoRequest(payload: [1])))
            #expect(try await socket.receive().header == FrameHeader(.message, callID: 5, isEnd: true))
        }
    }

    @Test("late cancels and credits for calls that are over are passed over")
    func lateFrames() async throws {
        try await TestServer.with(.echo()) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest()))
            _ = try await socket.receive(.message)
            try await socket.send(
                WireFrame(.cancel, call: 1), WireFrame(.credit, call: 1, Credit(bytes: 10)),
                WireFrame(.cancel, call: 9),
                WireFrame(.credit, call: 9, [0xff]), WireFrame(.pong), WireFrame(.goAway))
            try await socket.send(WireFrame(.ping, [1, 2, 3]))
            #expect(try await socket.receive() == WireFrame(.pong, [1, 2, 3]))
        }
    }

    @Test("random frames after the hello never bring the server down")
    func noise() async throws {
        try await TestServer.with(.echo()) { server in
            var random = SeededGenerator(seed: 11)
            for _ in 0..<300 {
                let socket = try await RawSocket(connectingTo: server.port)
                var bytes = WireFrame.hello.bytes
                for id in 1...UInt32.random(in: 1...20, using: &random) {
                    let kind = FrameKind.allCases.randomElement(using: &random) ?? .ping
                    let payload = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    bytes += WireFrame(kind, call: id, isEnd: .random(using: &random), payload).bytes
                }
                try await socket.send(bytes)
                socket.endSending()
                _ = try await socket.receiveAll()
            }
            try await server.withClient { client in _ = try await EchoServiceClient(client).echo(EchoRequest()) }
            #expect(await eventually { server.server.connectionCount == 0 && server.server.callsInFlight == 0 })
        }
    }
}
