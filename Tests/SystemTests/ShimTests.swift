import Contracts
import Glibc
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite("What kills a service")
struct ShimTests {
    @Test("hits just before the first commit, which then is not stored, or just after it, before anybody is told")
    func commits() async throws {
        for side in PlannedKill.Side.allCases {
            let (noted, stored) = try await run(.init(helper("StorageCrashHelper"), nth: 1, side))
            #expect(noted.isEmpty)
            #expect(stored.isEmpty == (side == .before))
        }
    }

    @Test("hits just before a long answer, which goes out in two pieces, and the caller asks again")
    func longAnswers() async throws {
        let folder = TemporaryFolder()
        let plan = try KillPlanFile(path: folder.file("plan"))
        let answer = Moment("places-service", .discovery, .send, "catalog/helsinki/", most: 1)
        let question = NearbyRequest(centre: .init(latitude: 60.1699, longitude: 24.9384), radiusM: 2000, limit: 200)
        try await RunningSystem.run(data: folder.file("data"), pictures: folder.path, plan: plan) { system in
            plan.arm(PlannedKill(answer, nth: 1, .before))
            let nearby = try await system.answered("Nearby") {
                try await PlacesServiceClient(system.client).nearby(question, $0)
            }
            #expect(nearby.places.count == 200)
        }
        #expect(plan.disarm())
    }

    @Test("leaves other programs alone")
    func others() async throws {
        let (noted, stored) = try await run(.init(helper("pin-service"), nth: 1, .before))
        // The helper has ended by itself after 200 notes.
        #expect(noted.count >= 200)
        #expect(noted.isSubset(of: stored))
    }

    private func helper(_ service: String) -> Moment {
        Moment(service, .create, .commit, "INSERT INTO acknowledged", most: 2)
    }

    /// Lets the helper write until it is killed, and gives the rows that it was told are stored, and those that are.
    private func run(_ kill: PlannedKill) async throws -> (noted: Set<String>, stored: Set<String>) {
        let folder = TemporaryFolder()
        let plan = try KillPlanFile(path: folder.file("plan"))
        plan.arm(kill)
        let end = try await ProgramRun.run(
            "StorageCrashHelper", [folder.file("a.db"), folder.file("notes"), "200"],
            environment: [
                "LD_PRELOAD": ProgramRun.path("libKillShim.so"), "WAYMARK_KILL_PLAN": plan.path,
            ])
        #expect(end.code == 128 + SIGKILL)
        #expect(plan.disarm() == (kill.moment.service == "StorageCrashHelper"))
        let stored = try await BlockingCalls.run {
            try StoredState.texts(folder.file("a.db"), ["SELECT id FROM acknowledged"])
        }
        return (Set(try folder.text("notes").split(separator: "\n").map(String.init)), Set(stored))
    }
}
