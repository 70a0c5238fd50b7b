import Contracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@testable import ServiceRuntime

@Suite("Metrics of a client", .timeLimit(.minutes(1)))
struct ClientMetricsTests {
    @Test("tell of each address what was sent there, what failed, and how long it takes")
    func counted() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                for _ in 0..<5 { _ = try await EchoServiceClient(client).echo(EchoRequest()) }
                let registry = MetricRegistry()
                registry.add { ClientMetrics.families("echo:1", await client.addresses()) }
                let text = try PrometheusText(await registry.text())
                let labels = ["target": "echo:1", "address": "\(server.address)"]
                #expect(text.value("waymark_rpc_client_calls_total", labels) == 5)
                #expect(text.value("waymark_rpc_client_failures_total", labels) == 0)
                #expect(text.value("waymark_rpc_client_calls_in_flight", labels) == 0)
                #expect(text.value("waymark_rpc_client_connections", labels) == 1)
                #expect((text.value("waymark_rpc_client_latency_seconds", labels) ?? 0) > 0)
            }
        }
    }
}
