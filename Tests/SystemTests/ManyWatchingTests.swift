import FoundationEssentials
import Glibc
import TestSupport
import TestTools
import Testing

@Suite("P10 P43 Many who watch", .timeLimit(.minutes(12)))
struct ManyWatchingTests {
    /// How the pins are kept.
    enum Keeping: CaseIterable {
        /// One pin service with a file.
        case file
        /// Two on PostgreSQL, each of which one gateway asks.
        case replicas
    }

    /// What the client says that changes pins and watches them.
    private struct Report: Decodable, Equatable {
        let changes: Int
        let sent: Int
        let doubled: Int
        let disordered: Int
        let missing: Int
        let slowWatcherCameToTheEnd: Bool

        enum CodingKeys: String, CodingKey {
            case changes, sent, doubled, disordered, missing
            case slowWatcherCameToTheEnd = "slow_watcher_came_to_the_end"
        }
    }

    @Test(
        "get each change of 1,000 pins once and in order through two gateways, also while one of them takes nothing",
        arguments: Keeping.allCases)
    func manyWatching(keeping: Keeping) async throws {
        let folder = TemporaryFolder()
        let place =
            switch keeping {
            // In the data folder of its pin service, which opens no other.
            case .file: (address: folder.file("one/pins.db"), schema: "waymark")
            case .replicas: try PostgresServer.sharedPlace(of: folder.file("watched"))
            }
        #expect(mkdir(folder.file("one"), 0o700) == 0)
        let people = try await PeopleRows(accounts: 100, pins: 10, in: place)
        let file = try folder.write((["token\tpins"] + people.lines).joined(separator: "\n") + "\n", to: "people")
        var pins: [ServiceProcess] = []
        for name in keeping == .file ? ["one"] : ["one", "two"] {
            pins.append(
                try await Self.start(
                    "pin-service", name, folder,
                    ["--database", place.address, "--database-schema", place.schema]))
        }
        var gateways: [ServiceProcess] = []
        for name in ["first", "second"] {
            let service = pins[gateways.count % pins.count]
            gateways.append(
                try await Self.start("gateway", name, folder, ["--pins", "\(service.endpoint)", "--http", "none"]))
        }
        let end = try await ProgramRun.run(
            "waymark-bench",
            [
                "watch", "--target", "\(gateways[0].endpoint)", "--second", "\(gateways[1].endpoint)", "--people",
                file, "--seconds", "5", "--rate", "300",
            ])
        #expect(end.code == 0, "\(end.errors)")
        let report = try JSONDecoder().decode(Report.self, from: Data(end.output.utf8))
        let expected = Report(
            changes: 1_500, sent: 4_500, doubled: 0, disordered: 0, missing: 0, slowWatcherCameToTheEnd: true)
        #expect(report == expected)
        for process in gateways + pins { #expect(try await process.end(by: SIGTERM).code == 0) }
    }

    private static func start(
        _ program: String, _ name: String, _ folder: TemporaryFolder, _ arguments: [String]
    ) async throws -> ServiceProcess {
        try await ServiceProcess.start(
            program, folder: folder.path,
            ["--data", folder.file(name), "--loops", "1", "--log-level", "error"] + arguments)
    }
}
