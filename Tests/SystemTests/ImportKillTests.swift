import Contracts
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite("P13 A places service that is killed in the swap of a dataset")
struct ImportKillTests {
    private static let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), limit: 200)

    /// What an import does with files, in its order, and which places are there when it dies just before or after it.
    private static let moments: [(event: Moment.Event, path: String, before: String, after: String)] = [
        (.rename, "/test/2.snapshot", "old", "old"), (.rename, "/test/dataset.json", "old", "new"),
        (.unlink, "/test/1.snapshot", "new", "new"), (.unlink, "/uploads/", "new", "new"),
    ]

    @Test("has all of the old places or all of the new when it is back, and nothing else on its disk")
    func killed() async throws {
        for moment in Self.moments {
            for side in PlannedKill.Side.allCases {
                let kill = PlannedKill(
                    Moment("places-service", .swap, moment.event, moment.path, most: 1), nth: 1, side)
                try await expect(side == .before ? moment.before : moment.after, after: kill)
            }
        }
    }

    private func expect(_ name: String, after kill: PlannedKill) async throws {
        let folder = TemporaryFolder()
        try await importAndDie(folder, kill)
        let service = try await start(folder)
        try await TestClient.with(service.endpoint) { client in
            let places = PlacesServiceClient(client)
            let found = try await places.nearby(Self.near, ServiceProcess.options(of: "tester")).places
            #expect(Set(found.map(\.name)) == [name] && found.count == (name == "old" ? 1 : 200), "\(kill)")
            // The names are indexed beside the snapshot when it is first read, which may go on meanwhile.
            let snapshot = name == "old" ? "1.snapshot" : "2.snapshot"
            let names = "\(snapshot).0.names"
            let left = Set(files(folder, "datasets/test")).subtracting([names, "\(names).partial"])
            #expect(left == [snapshot, "dataset.json"], "\(kill)")
            #expect(files(folder, "uploads").isEmpty, "\(kill)")
            try await load("new", rows: 300, places)
            #expect(try await places.nearby(Self.near, ServiceProcess.options(of: "tester")).places.count == 200)
        }
        #expect(try await service.end(by: SIGTERM).code == 0)
    }

    /// Imports one old place, then many new ones, in which the service dies.
    private func importAndDie(_ folder: TemporaryFolder, _ kill: PlannedKill) async throws {
        let plan = try KillPlanFile(path: folder.file("plan"))
        let service = try await start(
            folder,
            environment: ["LD_PRELOAD": ProgramRun.path("libKillShim.so"), "WAYMARK_KILL_PLAN": plan.path])
        try await TestClient.with(service.endpoint) { client in
            let places = PlacesServiceClient(client)
            try await load("old", rows: 1, places)
            plan.arm(kill)
            // The answer may come just before the end, or not at all.
            try? await load("new", rows: 300, places)
            try #require(await eventually { plan.hasFired }, "\(kill)")
            #expect(try await service.program.end().code == 128 + SIGKILL, "\(kill)")
        }
        #expect(plan.disarm(), "\(kill)")
    }

    private func start(
        _ folder: TemporaryFolder, environment: [String: String] = [:]
    ) async throws -> ServiceProcess {
        try await ServiceProcess.start(
            "places-service", folder: folder.path,
            ["--data", folder.file("data"), "--bundled", "none", "--log-level", "error"], environment: environment)
    }

    private func load(_ name: String, rows: Int, _ places: PlacesServiceClient) async throws {
        let text = "id,name,lat,lon\n" + (0..<rows).map { "\($0),\(name),1,2\n" }.joined()
        let begin = BeginImportRequest(dataset: "test", fileName: "a.csv", byteCount: UInt64(text.utf8.count))
        let id = try await places.beginImport(begin, ServiceProcess.options(of: "tester")).uploadId
        _ = try await places.writeImport(
            WriteImportRequest(uploadId: id, data: Array(text.utf8)), ServiceProcess.options(of: "tester"))
        let run = RunImportRequest(uploadId: id)
        for try await _ in places.runImport(run, ServiceProcess.options(of: "tester")) {}
    }

    private func files(_ folder: TemporaryFolder, _ path: String) -> [String] {
        Files.below(folder.file("data/\(path)"))
    }
}
