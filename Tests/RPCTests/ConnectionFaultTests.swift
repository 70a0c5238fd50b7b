import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("Connections that break", .timeLimit(.minutes(3)))
struct ConnectionFaultTests {
    /// How a client can go away in the middle of a call.
    enum Departure: CaseIterable { case close, endSending, reset }

    @Test("cancel the handlers of their calls", arguments: Departure.allCases)
    func clientLeaves(departure: Departure) async throws {
        let (started, cancelled) = (Tally(), Tally())
        let service = ScriptedEcho(
            unary: { _, _ in
                started.add()
                try await cancelled.addWhenCancelled()
            },
            stream: { _, responses, _ in
                defer { cancelled.add() }
                started.add()
                while true { try await responses.write(EchoStreamResponse(payload: [1])) }
            })
        try await TestServer.with(.echo(service)) { server in
            var socket: RawSocket? = try await RawSocket(connectingTo: server.port)
            try await socket?.send(
                .hello, .call(1, EchoServiceMethods.echo, EchoRequest()),
                .call(2, EchoServiceMethods.echoStream, EchoStreamRequest(), timeoutUs: nil, credit: 100))
            try await started.wait(for: 2)
            switch departure {
            case .close: break
            case .endSending: socket?.endSending()
            case .reset: socket?.reset()
            }
            if departure != .endSending { socket = nil }
            try await cancelled.wait(for: 2)
            #expect(await eventually { server.server.connectionCount == 0 && server.server.callsInFlight == 0 })
            withExtendedLifetime(socket) {}
        }
    }

    @Test("in the middle of a frame leave nothing behind")
    func halfFrame() async throws {
        let frame = WireFrame.call(1, EchoServiceMethods.echo, EchoRequest(payload: [1, 2, 3])).bytes
        try await TestServer.with(.echo()) { server in
            for cut in stride(from: 0, to: frame.count, by: 5) {
                let socket = try await RawSocket(connectingTo: server.port)
                try await socket.send(WireFrame.hello.bytes + frame.prefix(cut))
                socket.endSending()
                let kinds = try await socket.receiveAll().map(\.header.kind)
                #expect(kinds == [.hello])
            }
            #expect(await eventually { server.server.connectionCount == 0 })
        }
    }

    @Test("a thousand times in a row leave nothing behind")
    func churn() async throws {
        try await TestServer.with(.echo(), loops: 2) { server in
            for turn in 0..<1000 {
                let socket = try await RawSocket(connectingTo: server.port)
                switch turn % 4 {
                case 0: break
                case 1: socket.reset()
                case 2: try await socket.send(.hello)
                default:
                    try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest()))
                    _ = try await socket.receive(.message)
                }
            }
            #expect(await eventually { server.server.connectionCount == 0 && server.server.callsInFlight == 0 })
            try await server.withClient { client in _ = try await EchoServiceClient(client).echo(EchoRequest()) }
        }
    }

    @Test("with calls in flight fail them as UNAVAILABLE, and the next call connects anew")
    func serverDies() async throws {
        let listener = try RawListener()
        let method = MethodDescriptor(
            service: "a.B", method: "Once", kind: .unary, isIdempotent: false, hasNoSideEffects: false, role: .anyone)
        try await TestClient.with(listener.endpoint) { client in
            let calls = (0..<10).map { _ in
                Task { try await errorOf { try await client.unaryBytes(method, [], CallOptions()) } }
            }
            let socket = try await listener.acceptWithHello()
            for _ in 0..<10 { _ = try await socket.receive(.call) }
            socket.reset()
            for call in calls { #expect(try await call.value?.code == .unavailable) }
            async let answer = client.unaryBytes(method, [], CallOptions())
            let next = try await listener.acceptWithHello()
            let call = try await next.receive(.call)
            try await next.send(WireFrame(.message, call: call.header.callID, isEnd: true, [5]))
            #expect(try await answer == [5])
        }
    }

    @Test("end streams with UNAVAILABLE after what had come")
    func streamBreaks() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let reading = Task {
                var count = 0
                let error = try await errorOf {
                    for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) { count += 1 }
                }
                return (count, error)
            }
            var socket: RawSocket? = try await listener.acceptWithHello()
            let call = try #require(try await socket?.receive(.call)).header.callID
            for _ in 0..<3 { try await socket?.send(WireFrame(.message, call: call, EchoStreamResponse())) }
            socket = nil
            let (count, error) = try await reading.value
            #expect(count == 3)
            #expect(error?.code == .unavailable)
        }
    }
}
