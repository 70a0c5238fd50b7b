import Contracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("Stats", .timeLimit(.minutes(3)))
struct StatsTests {
    private static let echo = "waymark.rpc.v1.EchoService/Echo"
    private static let soon = DurationMessage(.milliseconds(100))

    private func withStats(
        _ body: (ServingHealth, StatsServiceClient, EchoServiceClient) async throws -> Void
    ) async throws {
        let health = ServingHealth()
        let group = try EventLoopGroup(count: 2)
        let monitor = ServerMonitor(service: "test", loops: group, health: health)
        let router = Router([StatsHandler(monitor), EchoHandler(), health])
        let metrics = CallMetrics(router.methods, group)
        let server = Server(router, group: group, interceptors: [metrics], agent: "test")
        monitor.watch(server, metrics)
        let any = try await BlockingCalls.run { try Endpoint(host: "127.0.0.1", port: 0).resolve() }
        let address = try await server.listen(on: any[0])
        health.set(.serving)
        try await TestClient.with(Endpoint(host: "127.0.0.1", port: address.port)) { client async throws in
            try await body(health, StatsServiceClient(client), EchoServiceClient(client))
        }
        await server.shutDown(grace: .zero)
        group.shutDown()
    }

    @Test("tell what was counted since the start: calls, errors, times, bytes, loops, memory")
    func since() async throws {
        try await withStats { _, stats, echo async throws in
            for _ in 0..<50 { _ = try await echo.echo(EchoRequest(payload: [UInt8](repeating: 7, count: 1000))) }
            _ = try await errorOf { try await echo.echo(EchoRequest(delay: DurationMessage(seconds: -1))) }
            let answer = try #require(try await stats.getStats(GetStatsRequest()).stats)
            #expect(answer.service == "test")
            #expect(answer.version == ServiceProgram.version)
            #expect(answer.status == .serving)
            #expect(answer.connections == 1)
            #expect(answer.callsInFlight == 1, "the call that asks")
            #expect(answer.receivedBytes > 50_000)
            #expect(answer.sentBytes > 50_000)
            #expect(answer.residentBytes > 1_000_000)
            #expect(answer.cpuSeconds > 0)
            #expect(answer.period == answer.uptime)
            #expect(answer.loops.count == 2)
            #expect(answer.loops.allSatisfy { (0...1).contains($0.busy) && $0.lagP50Ms <= $0.lagMaxMs })
            #expect(answer.loops.reduce(0) { $0 + $1.turns } > 0)
            #expect(answer.methods.map(\.method) == [Self.echo])
            let calls = try #require(answer.methods.first)
            #expect(calls.calls == 51)
            #expect(calls.errors == 1)
            #expect(calls.callsPerSecond > 0)
            #expect(calls.p50Ms > 0 && calls.p50Ms <= calls.p90Ms && calls.p90Ms <= calls.p99Ms)
            #expect(calls.p99Ms <= calls.maxMs)
        }
    }

    @Test("a watch tells everything at once, and then what is new")
    func watched() async throws {
        try await withStats { _, stats, echo async throws in
            for _ in 0..<3 { _ = try await echo.echo(EchoRequest()) }
            let reader = stats.watchStats(WatchStatsRequest(interval: Self.soon)).makeAsyncIterator()
            let first = try #require(try await reader.next()?.stats)
            #expect(first.methods.map(\.calls) == [3])
            for _ in 0..<5 { _ = try await echo.echo(EchoRequest()) }
            var calls: UInt64 = 0
            while calls < 5 {
                let next = try #require(try await reader.next()?.stats)
                let period = try #require(next.period?.duration)
                #expect(period >= .milliseconds(100))
                #expect(try period < #require(next.uptime?.duration))
                calls += next.methods.first { $0.method == Self.echo }?.calls ?? 0
            }
            #expect(calls == 5)
        }
    }

    @Test("a watch ends with the service, and tells a last time")
    func stopped() async throws {
        try await withStats { health, stats, _ async throws in
            let hour = DurationMessage(.seconds(3600))
            let reader = stats.watchStats(WatchStatsRequest(interval: hour)).makeAsyncIterator()
            #expect(try await reader.next()?.stats?.status == .serving)
            health.stop()
            #expect(try await reader.next()?.stats?.status == .notServing)
            #expect(try await reader.next() == nil)
        }
    }

    @Test(
        "an interval that is none, too short or too long is refused",
        arguments: [(0, 99_999_999), (3600, 1), (-1, 0), (0, -1), (Int.max, 0), (1, 2_000_000_000)])
    func intervals(seconds: Int, nanoseconds: Int) async throws {
        try await withStats { _, stats, _ async throws in
            let interval = DurationMessage(seconds: Int64(seconds), nanos: Int32(nanoseconds))
            let error = try await errorOf {
                for try await _ in stats.watchStats(WatchStatsRequest(interval: interval)) {}
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.details?.fieldViolations.first?.field == "interval")
        }
    }
}
