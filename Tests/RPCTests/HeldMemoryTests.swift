import Budgets
import BaseContracts
import EventLoops
import Synchronization
import TLS
import TestSupport
import TestTools
import Testing
import Wire

@testable import RPC

/// What a server holds for a client and what it charges the client for are one number.
@Suite("E15 held memory is charged memory", .timeLimit(.minutes(3)))
struct HeldMemoryTests {
    /// Gives each call an object that lives exactly as long as what is known of the call.
    private final class Witnesses: ServerInterceptor {
        private final class Witness: CallGuard {
            let gone: Tally
            init(_ gone: Tally) { self.gone = gone }
            deinit { gone.add() }

            func run<Answer: Sendable>(
                _ context: CallContext, _ handler: @escaping @Sendable (CallContext) async throws -> Answer
            ) async throws -> Answer { try await handler(context) }
        }

        let gone = Tally()

        func admit(_ context: inout CallContext) throws(RPCError) {
            if context.method.kind == .unary { context.callGuard = Witness(gone) }
        }
    }

    /// An echo whose stream is open until its caller goes.
    private static let watched = ScriptedEcho(stream: { _, _, _ in try await Tally().addWhenCancelled() })

    private static func watch(_ id: UInt32, bytes: Int = 0) -> WireFrame {
        .call(
            id, EchoServiceMethods.echoStream, EchoStreamRequest(payload: [UInt8](repeating: 7, count: bytes)),
            timeoutUs: nil)
    }

    @Test("nothing of a call is kept when it was answered, while a stream stays open on its connection")
    func idle() async throws {
        let witnesses = Witnesses()
        try await TestServer.with(.echo(Self.watched), interceptors: [witnesses]) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, Self.watch(1))
            for id in UInt32(2)...4 {
                try await socket.send(.call(id, EchoServiceMethods.echo, EchoRequest(payload: [1])))
                _ = try await socket.receive(.message)
                // A wait that never ends where a task that rests has it still: the suite's time limit reports it.
                try await witnesses.gone.wait(for: Int(id) - 1)
            }
        }
    }

    @Test("what an open stream came with is charged: its request, and the names and tokens beside it")
    func openStreams() async throws {
        let budget = MemoryBudget(bytes: 64 << 20)
        try await TestServer.with(.echo(Self.watched), memory: budget) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello)
            let token = String(repeating: "t", count: 7000)
            for id in UInt32(1)...200 {
                let call = Call(
                    method: EchoServiceMethods.echoStream.path, token: token,
                    request: EchoStreamRequest(payload: [1]).packedBytes())
                try await socket.send(WireFrame(.call, call: id, isEnd: true, call))
            }
            #expect(await eventually { server.server.callsInFlight == 200 })
            #expect(budget.usage.held >= 200 * 7000)
            for id in UInt32(1)...200 { try await socket.send(WireFrame(.cancel, call: id)) }
            #expect(await eventually { budget.usage.held < 200 << 10 })
        }
    }

    @Test("tasks that wait for the next call are charged, and end when none comes, also beside an open stream")
    func restingTasks() async throws {
        let (budget, gate, begun) = (MemoryBudget(bytes: 64 << 20), Gate(), Tally())
        var limits = Limits()
        limits.keepaliveInterval = .milliseconds(100)
        let service = ScriptedEcho(
            unary: { _, _ in
                begun.add()
                await gate.pass()
                return EchoResponse()
            }, stream: { _, _, _ in try await Tally().addWhenCancelled() })
        try await TestServer.with(.echo(service), limits: limits, memory: budget) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, Self.watch(1))
            for id in UInt32(2)...61 { try await socket.send(.call(id, EchoServiceMethods.echo, EchoRequest())) }
            try await begun.wait(for: 60)
            #expect(budget.usage.kinds[MemoryKind.calls.rawValue].bytes >= 60 * 2048)
            gate.open()
            #expect(await eventually { budget.usage.kinds[MemoryKind.calls.rawValue].bytes <= 16 << 10 })
        }
    }

    @Test("the table of a connection's calls gives back the room of those that are over, though one stays")
    func table() {
        var state = ServerConnectionState<Int>(maximumCalls: 2000)
        _ = state.received(FrameHeader(.hello))
        for id in UInt32(1)...1500 {
            _ = state.received(FrameHeader(.call, callID: id, isEnd: true))
            state.opened(id, Int(id))
        }
        #expect(state.tableSize >= 1500)
        for id in UInt32(2)...1500 {
            if id.isMultiple(of: 2) {
                _ = state.received(FrameHeader(.cancel, callID: id))
            } else {
                _ = state.finish(id)
            }
        }
        #expect(state.openCalls == 1 && state.call(1) == 1 && state.tableSize < 64)
    }

    @Test("answers that nobody reads are charged from the first kilobytes on")
    func unreadAnswers() async throws {
        let (budget, answered) = (MemoryBudget(bytes: 64 << 20), Tally())
        let service = ScriptedEcho(stream: { request, responses, _ in
            for _ in 0..<request.count {
                try await responses.write(EchoStreamResponse(payload: request.payload))
                answered.add()
            }
        })
        try await TestServer.with(.echo(service), memory: budget) { server in
            let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 4096)
            let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 8 << 10), count: 10_000)
            try await socket.send(
                .hello, .call(1, EchoServiceMethods.echoStream, request, timeoutUs: nil, credit: .max))
            // What the kernel takes of them is not the server's; then they pile up.
            let answers = { budget.usage.kinds[MemoryKind.answers.rawValue].bytes }
            #expect(await eventually { answers() > 16 << 10 })
        }
    }

    @Test("a handshake of TLS that goes no further is charged with all that it may need, and given back")
    func handshakes() async throws {
        let (tls, budget) = (try TLSFixture(), MemoryBudget(bytes: 4 << 20))
        try await TestServer.with(.echo(), tls: tls.server, memory: budget) { server in
            var sockets: [RawSocket] = []
            for _ in 0..<20 {
                let socket = try await SecureRawSocket(connectingTo: server.port, tls.client)
                try? await socket.raw.send(Array(socket.firstBytes().prefix(20)))
                sockets.append(socket.raw)
            }
            // One client gets half of what there is; those beyond it are closed.
            #expect(await eventually { budget.usage.held >= 6 * TLSSession.handshakeBytes })
            #expect(budget.usage.held <= 2 << 20)
            for socket in sockets { socket.reset() }
            #expect(await eventually { budget.usage.held == 0 })
        }
    }
}
