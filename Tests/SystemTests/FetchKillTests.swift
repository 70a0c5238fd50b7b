import Contracts
import HTTP
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite("P24 An album that fills from a network while its service is killed", .timeLimit(.minutes(5)))
struct FetchKillTests {
    @Test("completes, and fetches again only pictures that were not stored", arguments: PlannedKill.Side.allCases)
    func fills(_ side: PlannedKill.Side) async throws {
        let folder = RunFolder()
        let world = RunningSystem.bundledData + "/postcards/world"
        let commons = CommonsSimulator(
            files: Files.below(world).filter { $0.hasSuffix(".jpg") }.sorted().map { "\(world)/\($0)" })
        let plan = try KillPlanFile(path: folder.file("plan"))
        Files.makeFolder(folder.file("pictures"))
        try await HTTPFixture.with(commons.answer) { fixture, url in
            try await RunningSystem.run(
                data: folder.file("data"), pictures: folder.file("pictures"), plan: plan,
                settings: CommonsSimulator.environment(url)
            ) { system in
                let moment = Moment("photo-service", .copy, .commit, "INSERT INTO pictures", most: 3)
                plan.arm(PlannedKill(moment, nth: 3, side))
                var journal = Journal()
                journal.take(
                    try await system.create(
                        CreatePinRequest(
                            position: Coordinate(
                                latitude: CommonsSimulator.latitude, longitude: CommonsSimulator.longitude),
                            radiusM: 1_000, requestId: "one")))
                let id = try #require(journal.ids.first)
                try await system.settle(journal)
                #expect(plan.disarm(), "no service was killed")
                try await system.supervision.wait(forDeaths: 1, within: RunningSystem.patience)
                #expect(try await system.differences(from: journal).isEmpty)
                let album = try await system.album("pin/\(id)").summary
                #expect(album?.state == .complete && album?.readyCount == UInt32(commons.files.count))
                let fetches = commons.fetches(fixture.requests)
                let stored = side == .before ? 2 : 3
                #expect(fetches.count == commons.files.count && fetches.values.allSatisfy { $0 <= 2 }, "\(fetches)")
                #expect(fetches.values.count { $0 == 2 } <= commons.files.count - stored, "\(fetches)")
            }
        }
    }
}
