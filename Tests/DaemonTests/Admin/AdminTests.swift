import Contracts
import EventLoops
import Glibc
import HTTP
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import Daemon

@Suite("P41 the admin port", .timeLimit(.minutes(2)))
struct AdminTests {
    private func ask(_ responder: AdminResponder, _ path: String, method: String = "GET") async -> HTTPResponse {
        await responder.respond(to: HTTPRequest(method: method, path: path))
    }

    @Test("readyz follows the health: not before the start is over, not once the end has begun; livez is there always")
    func readiness() async throws {
        let health = ServingHealth()
        let responder = AdminResponder(health, MetricRegistry())
        #expect(await ask(responder, "/readyz").status == 503)
        health.set(.serving)
        #expect(await ask(responder, "/readyz").status == 200)
        health.stop()
        #expect(await ask(responder, "/readyz").status == 503)
        #expect(await ask(responder, "/livez").status == 200)
    }

    @Test("readyz says what is wrong though calls are answered")
    func warned() async throws {
        let (health, metrics) = (ServingHealth(), MetricRegistry())
        health.set(.serving)
        metrics.warn { nil }
        metrics.warn { "it is 40 s behind" }
        let response = await ask(AdminResponder(health, metrics), "/readyz")
        #expect(response.status == 200)
        guard case .bytes(let bytes) = response.body else {
            Issue.record("no text")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("ready\nwarning: it is 40 s behind"))
    }

    @Test(
        "nothing else is there, and nothing can be changed",
        arguments: [
            ("GET", "/", 404), ("GET", "/metrics/", 404), ("GET", "/metrics/../livez", 404), ("POST", "/livez", 405),
            ("DELETE", "/metrics", 405),
        ])
    func others(method: String, path: String, status: Int) async {
        let response = await ask(AdminResponder(ServingHealth(), MetricRegistry()), path, method: method)
        #expect(response.status == status)
    }

    @Test("E10 one that only this machine reaches is asked by an address or as localhost")
    func rebinding() async {
        for (host, status) in [
            ("localhost:9", 200), ("127.0.0.1", 200), ("[::1]:9", 200), ("", 200), ("evil.example", 421),
            ("evil.example:9090", 421), ("127.0.0.1.evil.example", 421), ("localhost.", 421),
            ("[::1].evil.example", 421), ("[::1]x", 421), ("localhost:9:9", 421), ("localhost@evil.example", 421),
        ] {
            let request = HTTPRequest(method: "GET", path: "/livez", headers: [("Host", host)])
            let local = AdminResponder(ServingHealth(), MetricRegistry(), isLocal: true)
            #expect(await local.respond(to: request).status == status, "\(host)")
            #expect(await AdminResponder(ServingHealth(), MetricRegistry()).respond(to: request).status == 200)
        }
    }

    private func get(_ admin: Endpoint, _ path: String) async throws -> HTTPReply {
        try await HTTPSocket(connectingTo: admin.port).ask("GET", path, [("Connection", "close")])
    }

    private func scrape(_ admin: Endpoint) async throws -> PrometheusText {
        let reply = try await get(admin, "/metrics")
        #expect(reply.status == 200)
        #expect(reply["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        return try PrometheusText(reply.text)
    }

    @Test("a real service is scraped: calls, their codes and times, bytes, connections, loops, the process")
    func scraped() async throws {
        let folder = TemporaryFolder()
        let process = try await ServiceProcess.start("gateway", folder: folder.path, ["--http", "127.0.0.1:0"])
        let admin = try #require(process.admin)
        let path = "waymark.rpc.v1.EchoService/Echo"
        let before = try await scrape(admin)
        #expect(before.value("waymark_rpc_server_calls_total", ["method": path, "code": "OK"]) == 0)
        #expect(before.value("waymark_ready") == 1)

        try await TestClient.with(process.endpoint) { client async throws in
            let echo = EchoServiceClient(client)
            for _ in 0..<20 { _ = try await echo.echo(EchoRequest(payload: [UInt8](repeating: 1, count: 1000))) }
            let wrong = EchoRequest(delay: DurationMessage(seconds: -1))
            _ = try await errorOf { try await echo.echo(wrong) }
            // The code of a method that is not there has no name in any label.
            let nothing = MethodDescriptor(
                service: "no.Such\"Service", method: "\nMethod", kind: .unary, isIdempotent: false,
                hasNoSideEffects: false, role: .anyone)
            _ = try await errorOf { _ = try await client.unaryBytes(nothing, [], CallOptions(timeout: .seconds(60))) }

            let after = try await scrape(admin)
            func value(_ name: String, _ labels: [String: String] = [:]) -> Double { after.value(name, labels) ?? -1 }
            #expect(value("waymark_rpc_server_calls_total", ["method": path, "code": "OK"]) == 20)
            #expect(value("waymark_rpc_server_calls_total", ["method": path, "code": "INVALID_ARGUMENT"]) == 1)
            #expect(value("waymark_rpc_server_call_duration_seconds_count", ["method": path]) == 21)
            #expect(value("waymark_rpc_server_call_duration_seconds_sum", ["method": path]) > 0)
            #expect(value("waymark_rpc_server_method_calls_running", ["method": path]) == 0)
            #expect(value("waymark_rpc_server_method_call_limit", ["method": path]) > 0)
            #expect(value("waymark_rpc_server_connections") == 1)
            #expect(value("waymark_rpc_server_calls_in_flight") == 0)
            #expect(value("waymark_rpc_received_bytes_total") > 20_000)
            #expect(value("waymark_rpc_sent_bytes_total") > 20_000)
            #expect(value("process_resident_memory_bytes") > 1_000_000)
            #expect(value("process_open_fds") > 5)
            #expect(value("process_max_fds") > value("process_open_fds"))
            #expect(value("process_cpu_seconds_total") > 0)
            #expect(value("waymark_info", ["service": "gateway", "version": ServiceProgram.version]) == 1)
            #expect(value("waymark_loop_turn_duration_seconds_count", ["loop": "0"]) > 0)
            #expect(!after.families.flatMap(\.samples).contains { $0.labels["method"]?.contains("Such") ?? false })
        }
        #expect(try await get(admin, "/livez").status == 200)
        #expect(try await get(admin, "/readyz").status == 200)
        let head = try await HTTPSocket(connectingTo: admin.port).ask("HEAD", "/metrics")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(try await process.end(by: SIGTERM).code == 0)
    }

    @Test("while a service drains it is not ready, who watches its health is told, and it can still be scraped")
    func draining() async throws {
        let folder = TemporaryFolder()
        let process = try await ServiceProcess.start("gateway", folder: folder.path, ["--http", "127.0.0.1:0"])
        let admin = try #require(process.admin)
        try await TestClient.with(process.endpoint) { client async throws in
            let health = HealthServiceClient(client).watch(WatchRequest()).makeAsyncIterator()
            #expect(try await health.next()?.status == .serving)
            let open = EchoServiceClient(client).echoStream(
                EchoStreamRequest(payload: [UInt8](repeating: 1, count: 64 << 10), count: 80)
            ).makeAsyncIterator()
            #expect(try await open.next()?.index == 0)
            process.program.send(signal: SIGTERM)
            #expect(try await health.next()?.status == .notServing)
            #expect(try await health.next() == nil)
            // The open stream holds the end up.
            #expect(try await get(admin, "/readyz").status == 503)
            #expect(try await get(admin, "/livez").status == 200)
            #expect(try await scrape(admin).value("waymark_ready") == 0)
            while try await open.next() != nil {}
        }
        #expect(try await process.program.end().code == 0)
    }

    @Test("none switches it off")
    func off() async throws {
        let folder = TemporaryFolder()
        let process = try await ServiceProcess.start(
            "gateway", folder: folder.path, ["--http", "none", "--admin", "none"])
        #expect(process.admin == nil)
        #expect(try await process.end(by: SIGTERM).code == 0)
    }
}
