import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("Stopping a server", .timeLimit(.minutes(3)))
struct GracefulStopTests {
    /// An echo whose handlers wait for `gate`.
    private struct Held {
        let started = Tally()
        let gate = Tally()
        let cancelled = Tally()

        var router: Router {
            .echo(
                ScriptedEcho(unary: { [self] request, _ in
                    started.add()
                    do {
                        try await gate.wait()
                    } catch {
                        cancelled.add()
                        throw error
                    }
                    return EchoResponse(payload: request.payload)
                }))
        }
    }

    @Test("lets open calls end well while new ones go elsewhere")
    func openCallsEnd() async throws {
        let held = Held()
        let server = try await TestServer(held.router)
        try await server.withClient { client in
            let echo = EchoServiceClient(client)
            async let open = echo.echo(EchoRequest(payload: [1]))
            try await held.started.wait()
            async let stopped: Void = server.server.shutDown(grace: .seconds(60))
            let listening = await eventually { held.started.count == 1 }
            #expect(listening)
            // A call either reaches the server before it drains and waits there, or is refused: try until refused.
            var refused: RPCError?
            while refused == nil {
                refused = try await errorOf {
                    try await echo.echo(EchoRequest(), CallOptions(timeout: .milliseconds(50)))
                }
                if refused?.code == .deadlineExceeded { refused = nil }
            }
            #expect(refused?.code == .unavailable)
            #expect(held.cancelled.count <= held.started.count - 1, "the open call is not cancelled")
            held.gate.add()
            #expect(try await open.payload == [1])
            await stopped
            #expect(server.server.connectionCount == 0)
        }
        server.group.shutDown()
    }

    @Test("cancels after the grace what still runs")
    func afterGrace() async throws {
        let held = Held()
        let server = try await TestServer(held.router)
        try await server.withClient { client in
            let call = Task { try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) } }
            try await held.started.wait()
            await server.server.shutDown(grace: .milliseconds(20))
            try await held.cancelled.wait()
            #expect(try await call.value?.code == .unavailable)
        }
        server.group.shutDown()
    }

    @Test("closes idle connections at once, and those that never said hello")
    func idle() async throws {
        let server = try await TestServer(.echo())
        let silent = try await RawSocket(connectingTo: server.port)
        let polite = try await RawSocket(connectingTo: server.port)
        try await polite.send(.hello)
        _ = try await polite.receive(.hello)
        _ = try await silent.receive(.hello)
        async let stopped: Void = server.server.shutDown(grace: .seconds(60))
        for socket in [silent, polite] {
            let last = try #require(try await socket.receiveAll().last)
            #expect(try GoAway(packed: last.payload).reason == "shutting down")
            socket.endSending()
        }
        await stopped
        server.group.shutDown()
    }

    @Test("returns although a client does not read")
    func deafClient() async throws {
        let written = Tally()
        let service = ScriptedEcho(stream: { request, responses, _ in
            while true {
                try await responses.write(EchoStreamResponse(payload: request.payload))
                written.add()
            }
        })
        let server = try await TestServer(.echo(service))
        let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 4096)
        let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 1 << 20))
        try await socket.send(
            .hello, .call(1, EchoServiceMethods.echoStream, request, timeoutUs: nil, credit: .max))
        try await written.wait(for: 3)
        await server.server.shutDown(grace: .milliseconds(10))
        #expect(server.server.connectionCount == 0)
        server.group.shutDown()
        withExtendedLifetime(socket) {}
    }

    @Test("frees its port at once")
    func portIsFree() async throws {
        let first = try await TestServer(.echo(), host: TestServer.quietHost)
        try await first.withClient { client in _ = try await EchoServiceClient(client).echo(EchoRequest()) }
        await first.stop()
        try await TestServer.with(.echo(), host: TestServer.quietHost, port: first.port) { second in
            try await second.withClient { client in _ = try await EchoServiceClient(client).echo(EchoRequest()) }
        }
    }

    @Test("races with connections that are just coming, on every loop, and always returns")
    func racing() async throws {
        for _ in 0..<50 {
            let server = try await TestServer(.echo(), loops: 2)
            let port = server.port
            let comers = (0..<8).map { _ in
                Task {
                    let socket = try await RawSocket(connectingTo: port)
                    try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest()))
                    _ = try await socket.receiveAll()
                }
            }
            await server.stop()
            for comer in comers { _ = await comer.result }
            #expect(server.server.connectionCount == 0)
        }
    }

    @Test("with nobody connected returns at once")
    func empty() async throws {
        let server = try await TestServer(.echo())
        await server.server.shutDown(grace: .seconds(60))
        await server.server.shutDown(grace: .seconds(60))
        server.group.shutDown()
    }
}
