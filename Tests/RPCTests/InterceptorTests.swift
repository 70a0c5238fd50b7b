import BaseContracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Interceptors", .timeLimit(.minutes(3)))
struct InterceptorTests {
    /// Writes down what it is told, and refuses calls with a token.
    private final class Recorder: ServerInterceptor {
        let ended = Tally()
        private let codes = Mutex<[RPCCode]>([])
        private let admitted = Mutex(0)

        var endCodes: [RPCCode] { codes.withLock { $0 } }
        var admissions: Int { admitted.withLock { $0 } }

        func admit(_ context: inout CallContext) throws(RPCError) {
            admitted.withLock { $0 += 1 }
            guard context.token.isEmpty else { throw RPCError(.permissionDenied, "no tokens") }
            context.requestID = "given by the interceptor"
        }

        func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {
            codes.withLock { $0.append(error?.code ?? .ok) }
            ended.add()
        }
    }

    @Test("refuse a call before its handler starts")
    func refusal() async throws {
        let recorder = Recorder()
        let called = Tally()
        let service = ScriptedEcho(unary: { _, _ in
            called.add()
            return EchoResponse()
        })
        try await TestServer.with(.echo(service), interceptors: [recorder]) { server in
            try await server.withClient { client in
                let error = try await errorOf {
                    try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(token: "t"))
                }
                #expect(error?.code == .permissionDenied)
                #expect(called.count == 0)
                #expect(recorder.endCodes == [.permissionDenied])
                #expect(server.server.callsInFlight == 0)
            }
        }
    }

    @Test("complete what the handler knows")
    func completion() async throws {
        let seen = Mutex("")
        let service = ScriptedEcho(unary: { _, context in
            seen.withLock { $0 = context.requestID }
            return EchoResponse()
        })
        try await TestServer.with(.echo(service), interceptors: [Recorder()]) { server in
            try await server.withClient { client in _ = try await EchoServiceClient(client).echo(EchoRequest()) }
        }
        #expect(seen.withLock { $0 } == "given by the interceptor")
    }

    @Test("are told of each call's end once, however it ends")
    func ends() async throws {
        let recorder = Recorder()
        let (started, cancelled) = (Tally(), Tally())
        let service = ScriptedEcho(
            unary: { request, _ in
                switch request.payload.first {
                case 0: return EchoResponse()
                case 1: throw RPCError(.notFound, "no")
                case 2: return EchoResponse(payload: [UInt8](repeating: 0, count: 4 << 20))
                default:
                    started.add()
                    try await cancelled.addWhenCancelled()
                }
            })
        try await TestServer.with(.echo(service), interceptors: [recorder]) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            func send(_ id: UInt32, _ payload: UInt8, timeoutUs: UInt64 = 60_000_000) async throws {
                let request = EchoRequest(payload: [payload])
                try await socket.send(.call(id, EchoServiceMethods.echo, request, timeoutUs: timeoutUs))
            }
            try await socket.send(.hello)
            try await send(1, 0)
            try await recorder.ended.wait(for: 1)
            try await send(2, 1)
            try await recorder.ended.wait(for: 2)
            try await send(3, 2)
            try await recorder.ended.wait(for: 3)
            try await send(4, 3, timeoutUs: 10_000)
            try await recorder.ended.wait(for: 4)
            try await send(5, 3)
            try await started.wait(for: 2)
            try await socket.send(WireFrame(.cancel, call: 5))
            try await recorder.ended.wait(for: 5)
            try await socket.send(
                WireFrame(
                    .call, call: 6, isEnd: true,
                    Call(method: EchoServiceMethods.echo.path, timeoutUs: 1_000_000, request: [0x0a, 0x09])))
            try await recorder.ended.wait(for: 6)
            try await send(7, 3)
            try await started.wait(for: 3)
            socket.reset()
            try await recorder.ended.wait(for: 7)
            try await cancelled.wait(for: 3)
            #expect(await eventually { server.server.callsInFlight == 0 })
            #expect(
                recorder.endCodes == [
                    .ok, .notFound, .resourceExhausted, .deadlineExceeded, .cancelled, .invalidArgument, .cancelled,
                ])
            #expect(recorder.admissions == 7)
        }
    }
}
