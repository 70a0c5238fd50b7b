import BaseContracts
import EventLoops
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("Retries", .timeLimit(.minutes(3)))
struct RetryTests {
    private static func method(isIdempotent: Bool) -> MethodDescriptor {
        MethodDescriptor(
            service: "a.B", method: "C", kind: .unary, isIdempotent: isIdempotent, hasNoSideEffects: isIdempotent,
            role: .anyone)
    }

    private static func call(
        _ client: RPCClient, isIdempotent: Bool, requestID: String = ""
    ) -> Task<RPCError?, any Error> {
        let (method, options) = (method(isIdempotent: isIdempotent), CallOptions().repeatable(requestID))
        return Task { try await errorOf { try await client.unaryBytes(method, [], options) } }
    }

    /// Takes a connection and its first call, then drops both.
    private func dropCall(_ listener: RawListener) async throws {
        let socket = try await listener.acceptWithHello()
        _ = try await socket.receive(.call)
    }

    private func answerCall(_ listener: RawListener) async throws -> RawSocket {
        let socket = try await listener.acceptWithHello()
        let id = try await socket.receive(.call).header.callID
        try await socket.send(WireFrame(.message, call: id, isEnd: true))
        return socket
    }

    @Test("send an idempotent call again when its connection breaks")
    func idempotent() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Self.call(client, isIdempotent: true)
            try await dropCall(listener)
            try await dropCall(listener)
            let last = try await answerCall(listener)
            #expect(try await call.value == nil)
            withExtendedLifetime(last) {}
        }
    }

    @Test("send any call again whose request names its change (P36)")
    func repeatable() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Self.call(client, isIdempotent: false, requestID: "change-1")
            try await dropCall(listener)
            let last = try await answerCall(listener)
            #expect(try await call.value == nil)
            withExtendedLifetime(last) {}
        }
    }

    @Test("give up after three attempts")
    func threeAttempts() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Self.call(client, isIdempotent: true)
            for _ in 0..<3 { try await dropCall(listener) }
            #expect(try await call.value?.code == .unavailable)
        }
    }

    @Test("never send another call twice when it may have run")
    func notIdempotent() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Self.call(client, isIdempotent: false)
            try await dropCall(listener)
            #expect(try await call.value?.code == .unavailable)
        }
    }

    @Test("never send a call twice after a goaway that counts it among the started")
    func startedBeforeGoAway() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Self.call(client, isIdempotent: false)
            do {
                let socket = try await listener.acceptWithHello()
                let id = try await socket.receive(.call).header.callID
                try await socket.send(WireFrame(.goAway, GoAway(lastCallId: id, reason: "you broke the protocol")))
            }
            let error = try await call.value
            #expect(error?.code == .unavailable)
        }
    }

    @Test("send any call again that the server says it did not start", arguments: [true, false])
    func notStarted(isIdempotent: Bool) async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Self.call(client, isIdempotent: isIdempotent)
            let first = try await listener.acceptWithHello()
            _ = try await first.receive(.call)
            try await first.send(WireFrame(.goAway, GoAway(lastCallId: 0, reason: "shutting down")))
            let second = try await answerCall(listener)
            #expect(try await call.value == nil)
            withExtendedLifetime((first, second)) {}
        }
    }

    /// Reads a stream to its end.
    private static func read(
        _ client: RPCClient, isIdempotent: Bool
    ) -> Task<(answers: [[UInt8]], error: RPCError?), any Error> {
        let method = MethodDescriptor(
            service: "a.B", method: "D", kind: .serverStreaming, isIdempotent: isIdempotent,
            hasNoSideEffects: isIdempotent, role: .anyone)
        return Task {
            var answers: [[UInt8]] = []
            let error = try await errorOf {
                let stream = client.serverStreamingBytes(method, [], CallOptions())
                for try await answer in stream { answers.append(answer) }
            }
            return (answers, error)
        }
    }

    private func answerStream(_ listener: RawListener) async throws -> RawSocket {
        let socket = try await listener.acceptWithHello()
        let id = try await socket.receive(.call).header.callID
        try await socket.send(WireFrame(.message, call: id, [7]))
        try await socket.send(WireFrame(.status, call: id, isEnd: true, Status()))
        return socket
    }

    @Test("begin any stream again that the server says it did not start", arguments: [true, false])
    func streamNotStarted(isIdempotent: Bool) async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let stream = Self.read(client, isIdempotent: isIdempotent)
            let first = try await listener.acceptWithHello()
            _ = try await first.receive(.call)
            try await first.send(WireFrame(.goAway, GoAway(lastCallId: 0, reason: "shutting down")))
            let second = try await answerStream(listener)
            let (answers, error) = try await stream.value
            #expect(answers == [[7]])
            #expect(error == nil)
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test("begin an idempotent stream again when its connection breaks before anything came of it")
    func streamBroken() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let stream = Self.read(client, isIdempotent: true)
            for _ in 0..<2 { try await dropCall(listener) }
            let last = try await answerStream(listener)
            #expect(try await stream.value.answers == [[7]])
            withExtendedLifetime(last) {}
        }
    }

    @Test("leave a stream alone that may have run and is not idempotent, or of which something came")
    func streamStarted() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let stream = Self.read(client, isIdempotent: false)
            try await dropCall(listener)
            #expect(try await stream.value.error?.code == .unavailable)
            let read = Self.read(client, isIdempotent: true)
            do {
                let socket = try await listener.acceptWithHello()
                let id = try await socket.receive(.call).header.callID
                try await socket.send(WireFrame(.message, call: id, [7]))
            }
            let (answers, error) = try await read.value
            #expect(answers == [[7]])
            #expect(error?.code == .unavailable)
        }
    }

    @Test("do not touch a call that a draining server still answers")
    func answeredWhileDraining() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let call = Self.call(client, isIdempotent: false)
            let socket = try await listener.acceptWithHello()
            let id = try await socket.receive(.call).header.callID
            try await socket.send(WireFrame(.goAway, GoAway(lastCallId: id, reason: "shutting down")))
            try await socket.send(WireFrame(.message, call: id, isEnd: true))
            #expect(try await call.value == nil)
            // The client leaves by itself after its last call.
            #expect(try await socket.receiveAll().isEmpty)
        }
    }

    @Test("do not repeat what a server refused", arguments: RPCCode.allCases.filter { $0 != .ok && $0 != .unavailable })
    func otherCodes(code: RPCCode) async throws {
        let calls = Tally()
        let service = ScriptedEcho(unary: { _, _ in
            calls.add()
            throw RPCError(code, "no")
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let error = try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) }
                #expect(error?.code == code)
            }
        }
        #expect(calls.count == 1)
    }

    @Test("stop when the budget is spent: no storm against a service that is down")
    func budgetOfClient() async throws {
        let calls = Tally()
        let service = ScriptedEcho(unary: { _, _ in
            calls.add()
            throw RPCError(.unavailable, "down")
        })
        let start = MonotonicTime.now
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                for _ in 0..<100 { _ = try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) } }
            }
        }
        // Twenty of the budget's reserve in each ten seconds that this took, and a fifth of the calls.
        let windows = Int(MonotonicTime.now.since(start) / .seconds(10)) + 2
        #expect(calls.count >= 120 && calls.count <= 120 + 20 * windows, "\(calls.count)")
    }

    @Test("to connect wait longer each time, with jitter, and from the start again after a success")
    func backoff() {
        var random = SeededGenerator(seed: 5)
        var backoff = Backoff(first: .milliseconds(50), longest: .seconds(2))
        for turn in 0..<100 {
            let full = min(Duration.seconds(2), .milliseconds(50) * (1 << min(turn, 20)))
            let wait = backoff.next(using: &random)
            #expect(wait >= full / 2 && wait <= full, "turn \(turn)")
        }
        backoff.reset()
        #expect(backoff.next(using: &random) <= .milliseconds(50))
    }
}
