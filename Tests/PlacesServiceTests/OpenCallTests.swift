import PlaceContracts
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("P41 what a service behind the gateway tells anybody", .timeLimit(.minutes(3)))
struct OpenCallTests {
    @Test("what it answers, but nothing of its data nor how it fares")
    func openCalls() async throws {
        let folder = TemporaryFolder()
        let process = try await ServiceProcess.start(
            "places-service", folder: folder.path, ["--data", folder.file("data"), "--bundled", "none"])
        try await TestClient.with(process.endpoint) { client async throws in
            let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2))
            let refused = try await errorOf { try await PlacesServiceClient(client).nearby(near) }
            #expect(refused?.code == .unauthenticated)
            let services = try await ReflectionServiceClient(client).listServices(ListServicesRequest()).services
            #expect(services.contains("waymark.places.v1.PlacesService"))
            let unknown = try await errorOf { try await StatsServiceClient(client).getStats(GetStatsRequest()) }
            #expect(unknown?.code == .unauthenticated)
            let options = ServiceProcess.options(of: "operator")
            let stats = try #require(try await StatsServiceClient(client).getStats(GetStatsRequest(), options).stats)
            #expect(stats.service == "places-service")
            let nearby = stats.methods.first { $0.method == "waymark.places.v1.PlacesService/Nearby" }
            #expect(nearby?.errors == 1)
        }
        #expect(try await process.end(by: SIGTERM).code == 0)
    }
}
