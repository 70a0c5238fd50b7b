import BaseContracts
import EventLoops
import RPC
import TLS
import TestSupport
import TestTools
import Testing
import Wire

@Suite("TLS with peers that misbehave", .timeLimit(.minutes(3)))
struct TLSFaultTests {
    private let tls: TLSFixture

    init() throws { tls = try TLSFixture() }

    private static func hasAnswer(_ frames: [WireFrame]) -> Bool { frames.contains { $0.header.kind == .message } }

    @Test("shakes hands and answers when each byte comes alone")
    func split() async throws {
        try await TestServer.with(.echo(), tls: tls.server) { server in
            let socket = try await SecureRawSocket(connectingTo: server.port, tls.client)
            try await socket.shakeHands(inPiecesOf: 1)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(payload: [5])), inPiecesOf: 1)
            var frames: [WireFrame] = []
            while !Self.hasAnswer(frames) { frames += try await socket.receive() }
            #expect(frames.first?.header.kind == .hello)
        }
    }

    @Test("answers what came in one piece with the end of the handshake, after its own hello")
    func early() async throws {
        try await TestServer.with(.echo(), tls: tls.server) { server in
            let socket = try await SecureRawSocket(connectingTo: server.port, tls.client)
            try await socket.shakeHands(saying: [.hello, .call(1, EchoServiceMethods.echo, EchoRequest(payload: [5]))])
            var frames: [WireFrame] = []
            while !Self.hasAnswer(frames) { frames += try await socket.receive() }
            #expect(frames.map(\.header.kind) == [.hello, .message])
        }
    }

    @Test("cuts a handshake that takes longer than its limit")
    func slow() async throws {
        var limits = Limits()
        limits.handshakeTime = .milliseconds(30)
        let recorder = RefusalRecorder()
        try await TestServer.with(.echo(), limits: limits, interceptors: [recorder], tls: tls.server) { server in
            let socket = try await SecureRawSocket(connectingTo: server.port, tls.client)
            try await socket.raw.send(Array(socket.firstBytes().prefix(20)))
            #expect(try await socket.raw.receiveAll().isEmpty)
            try await recorder.refusals.wait()
            #expect(recorder.all == ["the TLS handshake was not done within 0.03 seconds"])
        }
    }

    @Test("leaves no room to clients that never say who they are, and stops at once all the same")
    func unfinished() async throws {
        var limits = Limits()
        // One client gets half of what there is.
        limits.handshakes = 4
        let recorder = RefusalRecorder()
        try await TestServer.with(.echo(), limits: limits, interceptors: [recorder], tls: tls.server) { server in
            let first = try await RawSocket(connectingTo: server.port)
            let second = try await RawSocket(connectingTo: server.port)
            let third = try await RawSocket(connectingTo: server.port)
            #expect(try await third.receiveAll().isEmpty, "the third is turned away")
            try await first.send([22])
            first.endSending()
            #expect(try await first.receiveAll().isEmpty)
            try await recorder.refusals.wait()
            #expect(recorder.all == ["TLS was cut off without an end"])
            try await server.withClient(tls: tls.client) { _ = try await EchoServiceClient($0).echo(EchoRequest()) }
            await server.stop()
            #expect(try await second.receiveAll().isEmpty)
        }
    }

    @Test("says nothing of a client that has come and gone without a byte")
    func knock() async throws {
        let recorder = RefusalRecorder()
        try await TestServer.with(.echo(), interceptors: [recorder], tls: tls.server) { server in
            let knock = try await RawSocket(connectingTo: server.port)
            knock.endSending()
            #expect(try await knock.receiveAll().isEmpty)
            try await server.withClient(tls: tls.client) { _ = try await EchoServiceClient($0).echo(EchoRequest()) }
        }
        #expect(recorder.all.isEmpty)
    }

    @Test("takes an end that was not announced for a lost connection")
    func cutOff() async throws {
        let (begun, cancelled) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { _, _ in
            begun.add()
            try await cancelled.addWhenCancelled()
        })
        try await TestServer.with(.echo(service), tls: tls.server) { server in
            let socket = try await SecureRawSocket(connectingTo: server.port, tls.client)
            try await socket.shakeHands()
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(payload: [5])))
            #expect(try await socket.receive().first?.header.kind == .hello)
            // A call whose connection ends before it has begun is not begun at all.
            try await begun.wait()
            socket.raw.endSending()
            try await cancelled.wait()
        }
    }

    @Test("tells a client's calls when the server is cut off")
    func serverCutOff() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint, tls: tls.client) { client in
            // A stream of requests is not tried again.
            async let error = errorOf { try await EchoServiceClient(client).echoJoined { _ in } }
            let socket = try await SecureRawSocket(accepting: listener, tls.server)
            try await socket.shakeHands()
            try await socket.send(.hello)
            while try await !socket.receive().contains(where: { $0.header.kind == .call }) {}
            socket.raw.endSending()
            #expect(try await error?.message.hasSuffix("is closed: TLS was cut off without an end") == true)
        }
    }

    @Test("survives a peer that resets in the middle of the handshake, again and again")
    func resets() async throws {
        try await TestServer.with(.echo(), tls: tls.server) { server in
            for length in stride(from: 1, to: 300, by: 7) {
                let socket = try await SecureRawSocket(connectingTo: server.port, tls.client)
                try await socket.raw.send(Array(socket.firstBytes().prefix(length)))
                socket.raw.reset()
            }
            try await server.withClient(tls: tls.client) { _ = try await EchoServiceClient($0).echo(EchoRequest()) }
        }
    }
}
