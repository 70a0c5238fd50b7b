import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("A bad network", .timeLimit(.minutes(2)))
struct BadNetworkTests {
    /// Garbage inside of an answer could not be told from an answer: that takes TLS.
    private static let cuts: [FaultProxy.Fault] =
        [0, 5, 40].map { .garbage(after: $0) }
        + [0, 5, 40, 300, 5000].flatMap { bytes -> [FaultProxy.Fault] in
            [.blackHole(after: bytes), .reset(after: bytes), .halfClose(after: bytes)]
        }

    private static var limits: Limits {
        var limits = Limits()
        limits.keepaliveInterval = .milliseconds(200)
        limits.pingTimeout = .milliseconds(300)
        limits.streamCredit = 2000
        return limits
    }

    /// Calls of every kind; what each ended with.
    private static func calls(_ client: RPCClient, _ timeout: Duration = .seconds(5)) async -> [RPCCode] {
        let echo = EchoServiceClient(client)
        let payload = [UInt8](repeating: 7, count: 100)
        return await withTaskGroup(of: RPCCode.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await code {
                        let answer = try await echo.echo(
                            EchoRequest(payload: payload), CallOptions(timeout: timeout))
                        #expect(answer.payload == payload)
                    }
                }
            }
            group.addTask {
                await code {
                    var next: UInt32 = 0
                    let request = EchoStreamRequest(payload: payload, count: 100)
                    for try await answer in echo.echoStream(request, CallOptions(timeout: timeout)) {
                        #expect(answer.index == next && answer.payload == payload)
                        next += 1
                    }
                    #expect(next == 100)
                }
            }
            group.addTask {
                await code {
                    let answer = try await echo.echoJoined(CallOptions(timeout: timeout)) { writer in
                        for _ in 0..<50 { try await writer.write(EchoJoinedRequest(payload: payload)) }
                    }
                    #expect(answer.count == 50 && answer.payload.count == 5000)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func code(_ body: () async throws -> Void) async -> RPCCode {
        do {
            try await body()
            return .ok
        } catch let error as RPCError {
            return error.code
        } catch {
            Issue.record(error)
            return .unknown
        }
    }

    @Test(
        "that is slow or cuts packets small changes nothing",
        arguments: [FaultProxy.Fault.split, .late(milliseconds: 3), .late(milliseconds: 40)])
    func harmless(fault: FaultProxy.Fault) async throws {
        try await TestServer.with(.echo()) { server in
            try await FaultProxy.with(to: server.port, fault) { proxy in
                try await TestClient.with(proxy.endpoint) { client in
                    let codes = await Self.calls(client, .seconds(60))
                    #expect(codes.allSatisfy { $0 == .ok }, "\(codes)")
                }
            }
            #expect(await eventually { server.server.connectionCount == 0 && server.server.callsInFlight == 0 })
        }
    }

    @Test(
        "that breaks connections fails calls in a way that may be tried again, and leaves nothing behind",
        arguments: cuts)
    func breaking(fault: FaultProxy.Fault) async throws {
        try await TestServer.with(.echo(), limits: Self.limits) { server in
            try await FaultProxy.with(to: server.port, fault) { proxy in
                try await TestClient.with(proxy.endpoint, limits: Self.limits) { client in
                    let codes = Set(await Self.calls(client))
                    #expect(codes.isSubset(of: [.ok, .unavailable, .deadlineExceeded]), "\(codes)")
                }
            }
            #expect(await eventually { server.server.connectionCount == 0 && server.server.callsInFlight == 0 })
            try await server.withClient { client in
                // Nothing is broken here any more; a machine may be busy.
                let codes = await Self.calls(client, .seconds(60))
                #expect(codes.allSatisfy { $0 == .ok }, "\(codes)")
            }
        }
    }
}
