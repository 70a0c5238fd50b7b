import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("Calls that are sent before their answers are awaited", .timeLimit(.minutes(3)))
struct SentCallTests {
    private static let method = MethodDescriptor(
        service: "a.B", method: "C", kind: .unary, isIdempotent: true, hasNoSideEffects: true, role: .anyone)

    /// A connection whose first call was answered, and what sends calls on the client's loop.
    private static func connected(
        _ body: (RawListener, RawSocket, RPCClient) async throws -> Void
    ) async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            async let first = client.unaryBytes(method, [], CallOptions())
            let socket = try await listener.acceptWithHello()
            try await Self.answer(socket, with: [])
            _ = try await first
            try await body(listener, socket, client)
        }
    }

    private static func answer(_ socket: RawSocket, with payload: [UInt8]) async throws {
        let id = try await socket.receive(.call).header.callID
        try await socket.send(WireFrame(.message, call: id, isEnd: true, payload))
    }

    private static func onLoop<R: Sendable>(
        of client: RPCClient, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        try await Task(executorPreference: client.loop) { try await body() }.value
    }

    @Test("are all under way at once, without a task for each")
    func together() async throws {
        try await Self.connected { _, socket, client in
            async let answers = Self.onLoop(of: client) {
                let calls = (0..<3).compactMap { _ in client.send(Self.method, [], CallOptions()) }
                var answers: [[UInt8]] = []
                for call in calls { answers.append(try await call.answer().bytes) }
                return answers
            }
            var ids: [UInt32] = []
            for _ in 0..<3 { ids.append(try await socket.receive(.call).header.callID) }
            for (index, id) in ids.enumerated().reversed() {
                try await socket.send(WireFrame(.message, call: id, isEnd: true, [UInt8(index)]))
            }
            #expect(try await answers == [[0], [1], [2]])
        }
    }

    @Test("are tried again as others are")
    func triedAgain() async throws {
        try await Self.connected { listener, socket, client in
            async let answer = Self.onLoop(of: client) {
                try await client.send(Self.method, [], CallOptions())?.answer().bytes
            }
            _ = try await socket.receive(.call)
            socket.reset()
            let next = try await listener.acceptWithHello()
            try await Self.answer(next, with: [7])
            #expect(try await answer == [7])
        }
    }

    @Test("are cancelled with the task that awaits them")
    func cancelled() async throws {
        try await Self.connected { _, socket, client in
            let task = Task(executorPreference: client.loop) {
                try await client.send(Self.method, [], CallOptions())?.answer().bytes
            }
            let id = try await socket.receive(.call).header.callID
            task.cancel()
            #expect(try await socket.receive(.cancel).header.callID == id)
            #expect(try await errorOf { try await task.value }?.code == .cancelled)
        }
    }

    @Test("are not sent where there is no connection, or on another loop")
    func elsewhere() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let isSent = try await Self.onLoop(of: client) { client.send(Self.method, [], CallOptions()) != nil }
            #expect(!isSent)
        }
        try await Self.connected { _, _, client in
            #expect(client.send(Self.method, [], CallOptions()) == nil)
        }
    }
}
