import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("Connecting", .timeLimit(.minutes(3)))
struct ConnectingTests {
    @Test("is not waited for by a call that was cancelled")
    func cancelled() async throws {
        // The name is never looked up: the only thread that could is busy.
        let resolver = BlockingPool(threadCount: 1)
        let (busy, isFree) = (Tally(), ConditionMutex(false))
        try resolver.submit {
            busy.add()
            isFree.wait(until: { $0 }) { _ in }
        }
        try await busy.wait()
        let group = try EventLoopGroup(count: 1)
        let client = RPCClient(Endpoint(host: "127.0.0.1", port: 1), group: group, resolver: resolver, agent: "test")
        let waiting = Tally()
        let call = Task {
            waiting.add()
            return try await errorOf {
                try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .seconds(60)))
            }
        }
        try await waiting.wait()
        call.cancel()
        let error = try await call.value
        let timely = try await errorOf {
            try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .milliseconds(20)))
        }
        isFree.withLock { isFree, wake in
            isFree = true
            wake.all()
        }
        await client.close()
        group.shutDown()
        #expect(error?.code == .cancelled)
        #expect(timely?.code == .deadlineExceeded)
    }

    @Test("to nobody is UNAVAILABLE and names the address")
    func refused() async throws {
        let nobody = try ClosedPort()
        try await TestClient.with(nobody.endpoint) { client in
            let error = try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("\(nobody.endpoint)") == true)
            let stream = try await errorOf {
                for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) {}
            }
            #expect(stream?.code == .unavailable)
        }
        withExtendedLifetime(nobody) {}
    }

    @Test("of a client that names its server leaves addresses to the log")
    func named() async throws {
        let nobody = try ClosedPort()
        try await TestClient.with(nobody.endpoint, name: "the echo service") { client in
            let error = try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) }
            #expect(error?.message == "the echo service can't be reached now")
            #expect(error?.cause.map { "\($0)".contains("\(nobody.endpoint)") } == true)
        }
        withExtendedLifetime(nobody) {}
    }

    @Test("to a name that does not exist is UNAVAILABLE")
    func unknownName() async throws {
        try await TestClient.with(Endpoint(host: "no-such-host.invalid", port: 1)) { client in
            let error = try await errorOf {
                try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .seconds(20)))
            }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("no-such-host.invalid") == true)
        }
    }

    @Test("starts again after a back-off when the server has come back on its port")
    func comesBack() async throws {
        let first = try await TestServer(.echo(), host: TestServer.quietHost)
        try await first.withClient { client in
            let echo = EchoServiceClient(client)
            _ = try await echo.echo(EchoRequest())
            await first.stop()
            #expect(try await errorOf { try await echo.echo(EchoRequest()) }?.code == .unavailable)
            try await TestServer.with(.echo(), host: TestServer.quietHost, port: first.port) { _ in
                let end = MonotonicTime.now + .seconds(20)
                while try await errorOf({ try await echo.echo(EchoRequest()) }) != nil {
                    try #require(MonotonicTime.now < end, "the client never found the server again")
                    await Task.yield()
                }
            }
        }
    }

    @Test("happens once for many calls that start together")
    func shared() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<200 { group.addTask { _ = try await EchoServiceClient(client).echo(EchoRequest()) } }
                    try await group.waitForAll()
                }
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("again and again, as calls beyond one connection's limit need it, serves them all")
    func moreCallsThanOneConnectionTakes() async throws {
        var limits = Limits()
        limits.callsPerConnection = 50
        let (started, gate) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { _, _ in
            started.add()
            try await gate.wait()
            return EchoResponse()
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            try await server.withClient(limits: limits) { client in
                let calls = (0..<200).map { _ in
                    Task { try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) } }
                }
                try await started.wait(for: 50)
                gate.add()
                var errors: [RPCError] = []
                for call in calls { if let error = try await call.value { errors.append(error) } }
                #expect(errors.isEmpty, "\(errors.count): \(errors.first?.description ?? "")")
                #expect(server.server.connectionCount <= 16)
            }
            #expect(await eventually { server.server.connectionCount == 0 }, "closing the client closes them all")
        }
    }

    @Test("is given up when a server shows no sign of life, streams included")
    func noSignOfLife() async throws {
        var limits = Limits()
        limits.keepaliveInterval = .milliseconds(100)
        limits.pingTimeout = .seconds(6)
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint, limits: limits) { client in
            let reading = Task {
                try await errorOf { for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) {} }
            }
            let socket = try await listener.acceptWithHello()
            let id = try await socket.receive(.call).header.callID
            // The first ping is answered; after the second comes a message, and then nothing any more.
            try await socket.send(WireFrame(.pong, try await socket.receive(.ping).payload))
            _ = try await socket.receive(.ping)
            try await socket.send(WireFrame(.message, call: id, EchoStreamResponse()))
            _ = try await socket.receive(.ping)
            let error = try await reading.value
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("sign of life") == true)
        }
    }

    @Test("lives on while a server takes a long request, however slowly, and says nothing")
    func slowServer() async throws {
        var limits = Limits()
        limits.keepaliveInterval = .milliseconds(50)
        limits.pingTimeout = .seconds(4)
        let request = EchoRequest(payload: [UInt8](repeating: 1, count: 1 << 20))
        // A server that a busy machine kept from reading does not count.
        var pause = Duration.zero
        repeat {
            let listener = try RawListener(receiveBytes: 4096)
            pause = try await TestClient.with(listener.endpoint, limits: limits) { client in
                async let upload = EchoServiceClient(client).echo(request, CallOptions(timeout: .seconds(150)))
                let start = ContinuousClock.now
                let server = try await listener.acceptWithHello()
                let pause = try await server.receiveSlowly(for: limits.pingTimeout + .seconds(1), since: start)
                guard pause < limits.pingTimeout / 2 else { return pause }
                #expect(try await server.receive(.call).header.callID == 1)
                try await server.send(WireFrame(.message, call: 1, isEnd: true, EchoResponse()))
                _ = try await upload
                return pause
            }
        } while pause >= limits.pingTimeout / 2
    }

    @Test("after the client was closed is refused")
    func closed() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                _ = try await EchoServiceClient(client).echo(EchoRequest())
                await client.close()
                let error = try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) }
                #expect(error?.code == .unavailable)
                #expect(await eventually { server.server.connectionCount == 0 })
            }
        }
    }
}
