import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("Message sizes", .timeLimit(.minutes(3)))
struct MessageSizeTests {
    /// An EchoResponse of 4 MiB: its payload, a tag byte and a length of four bytes.
    private static let largestPayload = (4 << 20) - 5

    @Test("up to the frame limit pass, in both directions")
    func largest() async throws {
        try await TestServer.with(
            .echo(
                ScriptedEcho(unary: { request, _ in
                    EchoResponse(payload: [UInt8](repeating: 7, count: Int(request.payload[0]) << 16 | 0xfffb))
                }))
        ) { server in
            try await server.withClient { client in
                // The call's other fields need room too, but less than 100 bytes.
                let request = EchoRequest(payload: [0x3f] + [UInt8](repeating: 1, count: (4 << 20) - 200))
                let answer = try await EchoServiceClient(client).echo(request)
                #expect(answer.payload.count == Self.largestPayload)
            }
        }
    }

    @Test("beyond the server's limit are refused before they are sent, and the connection lives")
    func requestTooLong() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                let long = EchoRequest(payload: [UInt8](repeating: 1, count: 4 << 20))
                let error = try await errorOf { try await echo.echo(long) }
                #expect(error?.code == .resourceExhausted)
                #expect(error?.message.contains("4194304") == true)
                let stream = try await errorOf {
                    for try await _ in echo.echoStream(EchoStreamRequest(payload: long.payload)) {}
                }
                #expect(stream?.code == .resourceExhausted)
                #expect(try await echo.echo(EchoRequest(payload: [2])).payload == [2])
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("beyond the caller's limit end the call, and the connection lives")
    func answerTooLong() async throws {
        let service = ScriptedEcho(
            unary: { request, _ in EchoResponse(payload: [UInt8](repeating: 1, count: 4 << 20)) },
            stream: { _, responses, _ in
                try await responses.write(EchoStreamResponse(payload: [1]))
                try await responses.write(EchoStreamResponse(payload: [UInt8](repeating: 1, count: 4 << 20)))
            })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                #expect(try await errorOf { try await echo.echo(EchoRequest()) }?.code == .resourceExhausted)
                var count = 0
                let error = try await errorOf {
                    for try await _ in echo.echoStream(EchoStreamRequest()) { count += 1 }
                }
                #expect(error?.code == .resourceExhausted)
                #expect(count == 1)
                #expect(server.server.connectionCount == 1)
                #expect(server.server.callsInFlight == 0)
            }
        }
    }

    @Test("keep to what the peer's hello says")
    func peerLimits() async throws {
        var small = Limits()
        small.frameBytes = 1000
        try await TestServer.with(.echo(), limits: small) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                let answer = try await echo.echo(EchoRequest(payload: [1]))
                #expect(answer.payload == [1])
                let long = EchoRequest(payload: [UInt8](repeating: 1, count: 1000))
                #expect(try await errorOf { try await echo.echo(long) }?.code == .resourceExhausted)
                #expect(server.server.connectionCount == 1)
            }
        }
        try await TestServer.with(.echo()) { server in
            try await server.withClient(limits: small) { client in
                // The request would fit for the server, but the answer would not for the client.
                let service = EchoServiceMethods.echoStream
                let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 900), count: 3).packedBytes()
                var sizes: [Int] = []
                for try await bytes in client.serverStreamingBytes(service, request, CallOptions()) {
                    sizes.append(bytes.count)
                }
                #expect(sizes == [903, 905, 905])
            }
        }
    }

    @Test("of a failure's sentence do not keep the failure from arriving")
    func longSentence() async throws {
        let service = ScriptedEcho(unary: { _, _ in throw RPCError(.notFound, String(repeating: "é", count: 4 << 20)) })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let error = try await errorOf {
                    try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .seconds(60)))
                }
                #expect(error?.code == .notFound)
                #expect(error?.message.isEmpty == false)
            }
        }
    }
}
