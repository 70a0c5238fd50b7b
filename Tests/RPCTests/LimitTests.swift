import BaseContracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Limits", .timeLimit(.minutes(3)))
struct LimitTests {
    @Test("of calls on one connection refuse what is beyond, then take calls again")
    func callsPerConnection() async throws {
        var limits = Limits()
        limits.callsPerConnection = 2
        let (started, gate) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { _, _ in
            started.add()
            try await gate.wait()
            return EchoResponse()
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello)
            for id in 1...3 { try await socket.send(.call(UInt32(id), EchoServiceMethods.echo, EchoRequest())) }
            let refused = try await socket.receive(.status)
            #expect(refused.header.callID == 3)
            #expect(try refused.status == .resourceExhausted)
            gate.add()
            #expect(
                Set([try await socket.receive().header.callID, try await socket.receive().header.callID]) == [1, 2])
            try await socket.send(.call(4, EchoServiceMethods.echo, EchoRequest()))
            #expect(try await socket.receive(.message).header.callID == 4)
        }
    }

    @Test("of calls in flight shed load with a time to come back")
    func callsInFlight() async throws {
        var limits = Limits()
        limits.callsInFlight = 1
        let (started, gate) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { _, _ in
            started.add()
            try await gate.wait()
            return EchoResponse()
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                async let first = echo.echo(EchoRequest())
                try await started.wait()
                let error = try await errorOf { try await echo.echo(EchoRequest()) }
                #expect(error?.code == .resourceExhausted)
                #expect(error?.details?.retryAfterMs != nil)
                gate.add()
                _ = try await first
                _ = try await echo.echo(EchoRequest())
            }
        }
    }

    @Test("of calls in flight are not used up by streams, which have a limit of their own")
    func streams() async throws {
        var limits = Limits()
        limits.callsInFlight = 1
        limits.streams = 4
        let service = ScriptedEcho(stream: { _, responses, _ in
            try await responses.write(EchoStreamResponse())
            try await Tally().wait()
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                let open = (0..<2).map { _ in echo.echoStream(EchoStreamRequest()).makeAsyncIterator() }
                for reader in open { _ = try await reader.next() }
                let third = echo.echoStream(EchoStreamRequest()).makeAsyncIterator()
                let error = try await errorOf { try await third.next() }
                #expect(error?.code == .resourceExhausted)
                #expect(error?.details?.retryAfterMs != nil)
                _ = try await echo.echo(EchoRequest())
                #expect(server.server.callsInFlight == 2)
                withExtendedLifetime(open) {}
            }
        }
    }

    @Test("E7 of calls on a connection leave room for calls that end, however many streams a client opens")
    func streamsLeaveRoom() async throws {
        var limits = Limits()
        limits.callsPerConnection = 8
        let service = ScriptedEcho(stream: { _, responses, _ in
            try await responses.write(EchoStreamResponse())
            try await Tally().wait()
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                var open: [ResponseStream<EchoStreamResponse>.Iterator] = []
                var refusal: RPCError?
                while refusal == nil, open.count < 1000 {
                    let reader = echo.echoStream(EchoStreamRequest()).makeAsyncIterator()
                    refusal = try await errorOf { _ = try await reader.next() }
                    if refusal == nil { open.append(reader) }
                }
                #expect(refusal?.code == .resourceExhausted && open.count >= 100)
                for _ in 0..<10 { _ = try await echo.echo(EchoRequest()) }
                withExtendedLifetime(open) {}
            }
        }
    }

    @Test("of calls on one connection count handlers that still run, although their calls were cancelled")
    func cancelledCalls() async throws {
        var limits = Limits()
        limits.callsPerConnection = 2
        try await TestServer.with(.echo(), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            let cancelled = (1...2).flatMap { id in
                [
                    WireFrame.call(UInt32(id), EchoServiceMethods.echo, EchoRequest()),
                    WireFrame(.cancel, call: UInt32(id)),
                ]
            }
            // They come in one read: no handler has run when the third call is looked at.
            let frames = [WireFrame.hello] + cancelled + [.call(3, EchoServiceMethods.echo, EchoRequest())]
            try await socket.send(frames.flatMap(\.bytes))
            let refused = try await socket.receive(.status)
            #expect(refused.header.callID == 3)
            #expect(try refused.status == .resourceExhausted)
            try await socket.send(.call(4, EchoServiceMethods.echo, EchoRequest()))
            #expect(try await socket.receive(.message).header.callID == 4)
        }
    }

    @Test(
        "of what a CALL has besides its request refuse that call",
        arguments: [
            // With the joiners that are put between so many accents.
            (201, RPCCode.unimplemented, "there is no method with a name of 207 bytes"),
            (9000, .resourceExhausted, "the call has 9009 bytes besides its request, at most 8192 are allowed"),
        ])
    func callHeader(bytes: Int, code: RPCCode, message: String) async throws {
        // Accents of two kinds in turn, which take long to be sorted.
        let method = String((String(repeating: "\u{301}\u{316}", count: bytes / 4) + "abcd").utf8.prefix(bytes))
        try await TestServer.with(.echo()) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            let call = Call(method: try #require(method), timeoutUs: 1_000_000, request: [1, 2, 3])
            try await socket.send(.hello, WireFrame(.call, call: 1, isEnd: true, call))
            let status = try Status(packed: try await socket.receive(.status).payload)
            #expect(status.code == code.rawValue)
            #expect(status.message == message)
            try await socket.send(.call(2, EchoServiceMethods.echo, EchoRequest()))
            _ = try await socket.receive(.message)
        }
    }

    @Test("of connections turn the next one away until one has left")
    func connections() async throws {
        var limits = Limits()
        // One client gets half of what there is.
        limits.connections = 4
        try await TestServer.with(.echo(), limits: limits) { server in
            let port = server.port
            let first = try await RawSocket(connectingTo: port)
            let second = try await RawSocket(connectingTo: port)
            for socket in [first, second] {
                try await socket.send(.hello)
                _ = try await socket.receive(.hello)
            }
            let third = try await RawSocket(connectingTo: port)
            #expect(try await third.receiveAll().allSatisfy { $0.header.kind == .goAway })
            try await server.withClient { client in
                let error = try await errorOf {
                    try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .seconds(60)))
                }
                #expect(error?.code == .unavailable)
                first.endSending()
                #expect(try await first.receiveAll().isEmpty)
                #expect(await eventually { server.server.connectionCount < 2 })
                // The client that was turned away does not come back at once.
                while try await errorOf({ try await EchoServiceClient(client).echo(EchoRequest()) }) != nil {}
            }
        }
    }

    @Test("of idle time close a connection that says nothing, or its hello too slowly")
    func idle() async throws {
        var limits = Limits()
        limits.idleTime = .milliseconds(50)
        try await TestServer.with(.echo(), limits: limits) { server in
            let silent = try await RawSocket(connectingTo: server.port)
            let slow = try await RawSocket(connectingTo: server.port)
            try await slow.send(Array(WireFrame.hello.bytes.dropLast()), atOnce: 1)
            let quiet = try await RawSocket(connectingTo: server.port)
            try await quiet.send(.hello)
            for socket in [silent, slow, quiet] {
                let last = try #require(try await socket.receiveAll().last)
                #expect(try GoAway(packed: last.payload).reason == "idle")
            }
        }
    }

    @Test("of idle time leave a connection alone while a call is open")
    func idleWithCall() async throws {
        var limits = Limits()
        limits.idleTime = .seconds(2)
        let (started, gate) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { _, _ in
            started.add()
            try await gate.wait()
            return EchoResponse()
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest()))
            try await started.wait()
            // Another connection tells when an idle time has passed: it is closed then.
            let idle = try await RawSocket(connectingTo: server.port)
            #expect(try await idle.receiveAll().last?.header.kind == .goAway)
            gate.add()
            _ = try await socket.receive(.hello)
            #expect(try await socket.receive().header.kind == .message)
            #expect(try await socket.receive().header.kind == .goAway)
        }
    }

    @Test("of names hold for what is not ASCII: a request id has at most 64 bytes")
    func requestIDBytes() async throws {
        let seen = Mutex(0)
        let service = ScriptedEcho(unary: { _, context in
            seen.withLock { $0 = context.requestID.utf8.count }
            return EchoResponse()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                // One character of two thousand bytes.
                let name = "e" + String(repeating: "\u{301}", count: 1_000)
                _ = try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(requestID: name))
            }
        }
        #expect(seen.withLock { $0 } <= 64)
    }
}
