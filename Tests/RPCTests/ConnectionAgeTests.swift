import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("A server's connections", .timeLimit(.minutes(3)))
struct ConnectionAgeTests {
    @Test("are given up when their client shows no sign of life while a stream is open")
    func halfOpen() async throws {
        var limits = Limits()
        limits.keepaliveInterval = .milliseconds(50)
        limits.pingTimeout = .milliseconds(100)
        let ended = Tally()
        let service = ScriptedEcho(stream: { _, _, _ in
            defer { ended.add() }
            try await Tally().wait()
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let silent = try await RawSocket(connectingTo: server.port)
            try await silent.send(
                .hello, .call(1, EchoServiceMethods.echoStream, EchoStreamRequest(), timeoutUs: nil, credit: 100))
            #expect(try await silent.receiveAll().map(\.header.kind) == [.hello, .ping])
            try await ended.wait()
        }
    }

    @Test("live on while their client answers, whatever it asks for")
    func alive() async throws {
        var limits = Limits()
        limits.keepaliveInterval = .milliseconds(20)
        limits.pingTimeout = .seconds(30)
        let mayEnd = Tally()
        let service = ScriptedEcho(stream: { _, _, _ in try await mayEnd.wait() })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let client = try await RawSocket(connectingTo: server.port)
            try await client.send(
                .hello, .call(1, EchoServiceMethods.echoStream, EchoStreamRequest(), timeoutUs: nil, credit: 100))
            _ = try await client.receive(.hello)
            for _ in 0..<5 {
                #expect(try await client.receive().header.kind == .ping)
                try await client.send(WireFrame(.pong))
            }
            mayEnd.add()
            #expect(try await client.receive(.status).status == .ok)
        }
    }

    @Test("live on while their client reads what is sent, however slowly, and says nothing")
    func reading() async throws {
        var limits = Limits()
        limits.keepaliveInterval = .milliseconds(50)
        limits.pingTimeout = .seconds(4)
        let written = Tally()
        let service = ScriptedEcho(stream: { request, responses, _ in
            while true {
                try await responses.write(EchoStreamResponse(payload: request.payload))
                written.add()
            }
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let payload = [UInt8](repeating: 1, count: 1 << 20)
            let call = WireFrame.call(
                1, EchoServiceMethods.echoStream, EchoStreamRequest(payload: payload), timeoutUs: nil, credit: .max)
            // One that a busy machine kept from reading does not count.
            var pause = Duration.zero
            repeat {
                #expect(await eventually { server.server.connectionCount == 0 })
                let (start, before) = (ContinuousClock.now, written.count)
                let reader = try await RawSocket(connectingTo: server.port, receiveBytes: 4096)
                try await reader.send(.hello, call)
                // The last sign of life, so that each ping waits behind more than is read here.
                try await written.wait(for: before + 1)
                try await reader.send(WireFrame(.pong))
                pause = try await reader.receiveSlowly(for: limits.pingTimeout + .seconds(1), since: start)
                let isThere = server.server.connectionCount == 1
                #expect(isThere || pause >= limits.pingTimeout / 2)
            } while pause >= limits.pingTimeout / 2
        }
    }

    @Test("that are too old are left without a failed call, for another one")
    func old() async throws {
        var limits = Limits()
        limits.maximumAge = .milliseconds(150)
        try await TestServer.with(.echo(), limits: limits) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                let first = try await RawSocket(connectingTo: server.port)
                try await first.send(.hello)
                // The client is told to leave about when the raw socket is, and again and again after that.
                async let frames = first.receiveAll()
                for _ in 0..<2000 { _ = try await echo.echo(EchoRequest()) }
                let last = try #require(try await frames.last)
                #expect(try GoAway(packed: last.payload).reason.contains("old"))
            }
        }
    }

    @Test("that are too old end their streams with a status after a while")
    func cut() async throws {
        var limits = Limits()
        limits.maximumAge = .seconds(1)
        limits.ageGrace = .milliseconds(20)
        let service = ScriptedEcho(stream: { _, _, _ in try await Tally().wait() })
        try await TestServer.with(.echo(service), limits: limits) { server in
            try await server.withClient { client in
                let error = try await errorOf {
                    for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) {}
                }
                #expect(error?.code == .unavailable)
                #expect(error?.message.contains("old") == true, "\(String(describing: error))")
            }
        }
    }
}
