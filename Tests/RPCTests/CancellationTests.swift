import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("Cancellation", .timeLimit(.minutes(3)))
struct CancellationTests {
    @Test("of the calling task reaches the handler, and the caller does not wait for it")
    func unary() async throws {
        let (started, cancelled) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { _, _ in
            started.add()
            try await cancelled.addWhenCancelled()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let call = Task { try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) } }
                try await started.wait()
                call.cancel()
                #expect(try await call.value?.code == .cancelled)
                try await cancelled.wait()
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("of one call is none of the calls whose handlers run after it")
    func successors() async throws {
        let (started, cancelled) = (Tally(), Tally())
        let waits: [UInt8] = [1]
        let service = ScriptedEcho(unary: { request, _ in
            if request.payload == waits {
                started.add()
                try await cancelled.addWhenCancelled()
            }
            return EchoResponse(payload: Task.isCancelled ? [] : request.payload)
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                for turn in 1...3 {
                    let call = Task { try await errorOf { try await echo.echo(EchoRequest(payload: waits)) } }
                    try await started.wait(for: turn)
                    call.cancel()
                    #expect(try await call.value?.code == .cancelled)
                    try await cancelled.wait(for: turn)
                    #expect(try await echo.echo(EchoRequest(payload: [2])).payload == [2])
                }
            }
        }
    }

    @Test("reaches the handler and the one behind it")
    func twoHops() async throws {
        let (started, cancelled) = (Tally(), Tally())
        let back = ScriptedEcho(unary: { _, _ in
            started.add()
            try await cancelled.addWhenCancelled()
        })
        try await TestServer.with(.echo(back)) { behind in
            try await behind.withClient { client in
                let front = ScriptedEcho(unary: { request, context in
                    try await EchoServiceClient(client).echo(request, CallOptions(context))
                })
                try await TestServer.with(.echo(front)) { server in
                    try await server.withClient { client in
                        let call = Task {
                            try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) }
                        }
                        try await started.wait()
                        call.cancel()
                        #expect(try await call.value?.code == .cancelled)
                        try await cancelled.wait()
                    }
                }
            }
        }
    }

    @Test("before the call has begun ends it")
    func beforeCall() async throws {
        let service = ScriptedEcho(unary: { _, _ in try await Tally().addWhenCancelled() })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let never = Tally()
                let call = Task { () async throws -> RPCError? in
                    try? await never.wait()
                    return try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) }
                }
                call.cancel()
                let error = try await call.value
                #expect(error?.code == .cancelled)
            }
        }
    }

    @Test("races with answers without losing a call")
    func racing() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                for turn in 0..<2000 {
                    let call = Task { try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) } }
                    for _ in 0..<(turn % 7) { await Task.yield() }
                    call.cancel()
                    let error = try await call.value
                    #expect(error == nil || error?.code == .cancelled)
                }
                _ = try await EchoServiceClient(client).echo(EchoRequest())
                #expect(server.server.callsInFlight == 0)
            }
        }
    }
}
