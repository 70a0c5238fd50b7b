import Contracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("Metrics of a client", .timeLimit(.minutes(3)))
struct ClientMetricsTests {
    @Test("tell of each address what was sent there, what failed, and how long it takes")
    func counted() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                for _ in 0..<5 { _ = try await EchoServiceClient(client).echo(EchoRequest()) }
                let (registry, metrics) = (MetricRegistry(), ClientMetrics())
                // Two clients of one target are told of together.
                for _ in 0..<2 { metrics.add(client) }
                registry.add { await metrics.families }
                let text = try PrometheusText(await registry.text())
                let labels = ["target": "\(server.endpoint)", "address": "\(server.address)"]
                #expect(text.value("waymark_rpc_client_calls_total", labels) == 10)
                #expect(text.value("waymark_rpc_client_failures_total", labels) == 0)
                #expect(text.value("waymark_rpc_client_calls_in_flight", labels) == 0)
                #expect(text.value("waymark_rpc_client_connections", labels) == 2)
                #expect((text.value("waymark_rpc_client_latency_seconds", labels) ?? 0) > 0)
            }
        }
    }
}
