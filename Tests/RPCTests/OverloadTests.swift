import BaseContracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Too many calls of a method", .timeLimit(.minutes(3)))
struct OverloadTests {
    @Test("wait for others to end, and all run in the end when that is soon")
    func burst() async throws {
        let running = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        let service = ScriptedEcho(unary: { request, _ in
            let now = running.wrappingAdd(1, ordering: .relaxed).newValue
            most.max(now, ordering: .relaxed)
            await Task.yield()
            running.wrappingSubtract(1, ordering: .relaxed)
            return EchoResponse(payload: request.payload)
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<500 { group.addTask { _ = try await EchoServiceClient(client).echo(EchoRequest()) } }
                    try await group.waitForAll()
                }
                #expect(most.load(ordering: .relaxed) <= 128)
                #expect(server.server.router.limiter(EchoServiceMethods.echo.path)?.callsRunning == 0)
                #expect(server.server.router.limiter(EchoServiceMethods.echo.path)?.callsWaiting == 0)
            }
        }
    }

    @Test("are refused when they have waited too long, with a pause to make, and other methods go on")
    func refused() async throws {
        let gate = Tally()
        let (first, second) = ([UInt8](arrayLiteral: 1), [UInt8](arrayLiteral: 2))
        let service = ScriptedEcho(unary: { request, _ in
            try await gate.wait(for: request.payload == first ? 1 : 2)
            return EchoResponse(payload: request.payload)
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                let limiter = try #require(server.server.router.limiter(EchoServiceMethods.echo.path))
                try await withThrowingTaskGroup(of: RPCError?.self) { group in
                    group.addTask { try await errorOf { try await echo.echo(EchoRequest(payload: first)) } }
                    #expect(await eventually { limiter.callsRunning == 1 })
                    for _ in 0..<limiter.currentLimit + 9 {
                        group.addTask {
                            try await errorOf {
                                try await echo.echo(EchoRequest(payload: second), CallOptions(timeout: .seconds(50)))
                            }
                        }
                    }
                    #expect(await eventually { limiter.callsWaiting == 10 })
                    // One ends, so the server works; the next gets its place, and the others wait in vain.
                    gate.add()
                    var refusals: [RPCError] = []
                    while refusals.count < 9 {
                        if let error = try await group.next() ?? nil { refusals.append(error) }
                    }
                    #expect(refusals.allSatisfy { $0.code == .resourceExhausted })
                    #expect(refusals.allSatisfy { ($0.details?.retryAfterMs ?? 0) > 0 })
                    let joined = try await echo.echoJoined { try await $0.write(EchoJoinedRequest(payload: [1])) }
                    #expect(joined.payload == [1])
                    gate.add()
                    while let error = try await group.next() { #expect(error == nil) }
                }
            }
        }
    }

    @Test("that are cancelled or too late while they wait give up their place in the queue")
    func givenUp() async throws {
        let gate = Tally()
        let service = ScriptedEcho(unary: { _, _ in
            try await gate.wait()
            return EchoResponse()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                let limiter = try #require(server.server.router.limiter(EchoServiceMethods.echo.path))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<limiter.currentLimit { group.addTask { _ = try await echo.echo(EchoRequest()) } }
                    let limit = limiter.currentLimit
                    #expect(await eventually { limiter.callsRunning == limit })
                    let waiting = Task { try await errorOf { try await echo.echo(EchoRequest()) } }
                    #expect(await eventually { limiter.callsWaiting == 1 })
                    waiting.cancel()
                    #expect(try await waiting.value?.code == .cancelled)
                    #expect(await eventually { limiter.callsWaiting == 0 })
                    let late = try await errorOf {
                        try await echo.echo(EchoRequest(), CallOptions(timeout: .milliseconds(50)))
                    }
                    #expect(late?.code == .deadlineExceeded)
                    #expect(await eventually { limiter.callsWaiting == 0 })
                    gate.add()
                    try await group.waitForAll()
                }
                #expect(await eventually { limiter.callsRunning == 0 })
            }
        }
    }
}
