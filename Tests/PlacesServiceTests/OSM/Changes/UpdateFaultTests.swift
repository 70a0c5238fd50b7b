import Bytes
import Glibc
import PlaceContracts
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P65 A dataset that is brought up to date, when something goes wrong", .serialized)
struct UpdateFaultTests {
    /// A café more than there was.
    private static var changes: [UInt8] {
        var changes = ChangeFile()
        changes.create(.node(9_000_000, 10.004, 20.004, [("amenity", "cafe"), ("name", "New")]))
        return Array(changes.text.utf8)
    }

    private static func count(_ client: RPCClient) async throws -> UInt64? {
        let places = PlacesServiceClient(client)
        let listed = try await places.listDatasets(ListDatasetsRequest(), ServiceProcess.options(of: "tester"))
        return listed.datasets.first?.placeCount
    }

    @Test(
        "a service that is killed meanwhile has the old dataset or all of the new, its file too, and goes on from there",
        arguments: ["changing", "reading", "mapping", "writing"])
    func killed(phase: String) async throws {
        let folder = TemporaryFolder()
        let arguments = ["--data", folder.file("data"), "--bundled", "none", "--log-level", "error"]
        let first = try await ServiceProcess.start("places-service", folder: folder.path, arguments)
        let before = try await TestClient.with(first.endpoint) { client in
            let places = PlacesServiceClient(client)
            for try await _ in try await MapFaultTests.run(MapFaultTests.large, places) {}
            let before = try #require(try await Self.count(client))
            for try await message in try await MapFaultTests.run(Self.changes, places, name: "1.osc") {
                if case .progress(let progress) = message.event, progress.phase == phase { break }
            }
            #expect(try await first.end(by: SIGKILL).code == 128 + SIGKILL)
            return before
        }
        let second = try await ServiceProcess.start("places-service", folder: folder.path, arguments)
        try await TestClient.with(second.endpoint) { client in
            let places = PlacesServiceClient(client)
            let found = try #require(try await Self.count(client))
            #expect([before, before + 1].contains(found))
            var more = ChangeFile()
            for (id, name) in [(9_000_000, "New"), (9_000_001, "Newer")] as [(Int64, String)] {
                more.create(
                    .node(id, 10.004, 20.004, [("amenity", "cafe"), ("name", name)]), at: "2026-05-02T10:00:00Z")
            }
            for try await _ in try await MapFaultTests.run(Array(more.text.utf8), places, name: "2.osc") {}
            #expect(try await Self.count(client) == before + 2)
            #expect(try await second.end(by: SIGTERM).code == 0)
        }
        let names = DatasetFiles.names(in: folder.file("data") + "/datasets/test")
        #expect(names.count { $0.ends(with: ".osm.pbf") } == 1 && names.count == 5, "\(names)")
    }
}
