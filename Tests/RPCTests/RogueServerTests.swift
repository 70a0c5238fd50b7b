import BaseContracts
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("Servers that break the protocol", .timeLimit(.minutes(3)))
struct RogueServerTests {
    private static let once = MethodDescriptor(
        service: "a.B", method: "Once", kind: .unary, isIdempotent: false, hasNoSideEffects: false, role: .anyone)

    /// The error that a call gets from a server which answers it as `answer` says.
    private func error(
        _ answer: @escaping @Sendable (UInt32) -> [UInt8]
    ) async throws -> (error: RPCError?, socket: RawSocket) {
        let listener = try RawListener()
        return try await TestClient.with(listener.endpoint) { client in
            let echo = EchoServiceClient(client)
            let call = Task {
                try await errorOf { try await echo.echo(EchoRequest(), CallOptions(timeout: .seconds(20))) }
            }
            let socket = try await listener.acceptWithHello()
            let id = try await socket.receive(.call).header.callID
            try await socket.send(answer(id))
            let error = try await call.value
            // The connection is still good.
            async let second = echo.echo(EchoRequest())
            let next = try await socket.receive(.call).header.callID
            try await socket.send(WireFrame(.message, call: next, isEnd: true, EchoResponse()))
            _ = try await second
            return (error, socket)
        }
    }

    @Test("only in an answer: the call fails, the connection lives")
    func brokenAnswers() async throws {
        let undecodable = try await error { WireFrame(.message, call: $0, isEnd: true, [0x0a, 0x10]).bytes }
        #expect(undecodable.error?.code == .internalError)
        let status = try await error { WireFrame(.status, call: $0, isEnd: true, [0xff]).bytes }
        #expect(status.error?.code == .internalError)
        let empty = try await error { WireFrame(.status, call: $0, isEnd: true).bytes }
        #expect(empty.error?.code == .internalError, "a unary call has to have an answer")
        let unknown = try await error {
            WireFrame(.status, call: $0, isEnd: true, Status(code: 99, message: "?")).bytes
        }
        #expect(unknown.error?.code == .unknown)
        #expect(unknown.error?.message == "?")
    }

    @Test("a stream where one answer belongs: the call fails and is cancelled")
    func streamForUnary() async throws {
        let answer = try await error { id in
            [WireFrame(.message, call: id), WireFrame(.message, call: id), WireFrame(.message, call: id, isEnd: true)]
                .flatMap(\.bytes)
        }
        #expect(answer.error?.code == .internalError)
    }

    @Test("frames for calls that are not open are passed over")
    func unknownCalls() async throws {
        let answer = try await error { id in
            [
                WireFrame(.message, call: 77, isEnd: true), WireFrame(.status, call: 78, isEnd: true, [0xff]),
                WireFrame(.credit, call: 79), WireFrame(.cancel, call: 80), WireFrame(.pong),
                WireFrame(.message, call: id, isEnd: true, EchoResponse()),
            ].flatMap(\.bytes)
        }
        #expect(answer.error == nil)
    }

    @Test("a message of a stream that does not decode ends the stream and cancels its handler")
    func brokenStream() async throws {
        let ended = Tally()
        var router = Router()
        router.forwardGarbage(ended)
        try await TestServer.with(router) { server in
            try await server.withClient { client in
                let error = try await errorOf {
                    for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) {}
                }
                #expect(error?.code == .internalError)
                try await ended.wait()
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    static let violations = [
        Hex.bytes("00000000 01060000 00000000"), Hex.bytes("00000008 05060000 00000000"),
        Array("HTTP/1.1 400 Bad".utf8),
        WireFrame.hello.bytes, WireFrame(.call, call: 1, isEnd: true).bytes,
    ]

    @Test("in a frame: the connection ends, its calls are UNAVAILABLE, the server is told", arguments: violations)
    func brokenFrames(bytes: [UInt8]) async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Task { try await errorOf { try await client.unaryBytes(Self.once, [], CallOptions()) } }
            let socket = try await listener.acceptWithHello()
            _ = try await socket.receive(.call)
            try await socket.send(bytes)
            #expect(try await call.value?.code == .unavailable)
            let goAway = try await socket.receive(.goAway)
            #expect(try GoAway(packed: goAway.payload).reason.isEmpty == false)
            async let second = client.unaryBytes(Self.once, [], CallOptions())
            let next = try await listener.acceptWithHello()
            let id = try await next.receive(.call).header.callID
            try await next.send(WireFrame(.message, call: id, isEnd: true))
            _ = try await second
        }
    }

    @Test("no hello: the call still ends at its deadline")
    func silence() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let error = try await errorOf {
                try await client.unaryBytes(Self.once, [], CallOptions(timeout: .milliseconds(50)))
            }
            #expect(error?.code == .deadlineExceeded)
        }
    }
}

extension Router {
    /// An EchoStream that answers with bytes that are no message, for ever.
    fileprivate mutating func forwardGarbage(_ ended: Tally) {
        serverStreaming(EchoServiceMethods.echoStream) {
            (_: EchoStreamRequest, responses: ResponseWriter<EchoStreamResponse>, _: CallContext) async throws in
            defer { ended.add() }
            while true { try await responses.write(packed: [0x0a, 0x7f, 0x00]) }
        }
    }
}
