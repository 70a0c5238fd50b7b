import PinContracts
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("P41 what the pin service counts", .timeLimit(.minutes(3)))
struct PinMetricTests {
    @Test("its database is in /metrics")
    func database() async throws {
        let folder = TemporaryFolder()
        let nobody = try ClosedPort()
        let process = try await ServiceProcess.start(
            "pin-service", folder: folder.path,
            ["--data", folder.file("data"), "--places", "\(nobody.endpoint)", "--photos", "\(nobody.endpoint)"])
        try await TestClient.with(process.endpoint) { client async throws in
            let request = CreatePinRequest(position: Coordinate(latitude: 1, longitude: 2), name: "a")
            _ = try await PinServiceClient(client).createPin(request, ServiceProcess.options(of: "ann"))
        }
        let port = try #require(process.admin?.port)
        let text = try PrometheusText(try await HTTPSocket(connectingTo: port).ask("GET", "/metrics").text)
        #expect(text.value("waymark_storage_writes_total") ?? 0 >= 1)
        #expect(text.value("waymark_storage_refused_total") == 0)
        let path = "waymark.pins.v1.PinService/CreatePin"
        #expect(text.value("waymark_rpc_server_calls_total", ["method": path, "code": "OK"]) == 1)
        #expect(try await process.end(by: SIGTERM).code == 0)
        withExtendedLifetime(nobody) {}
    }
}
