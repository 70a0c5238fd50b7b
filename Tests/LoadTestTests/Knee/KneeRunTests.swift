import EventLoops
import RPC
import Synchronization
import Testing

@testable import LoadTest

@Suite("P40 The knee of a target with a known service time", .timeLimit(.minutes(2)))
struct KneeRunTests {
    @Test("is one over the service time, within 5 %", arguments: [2, 10, 40])
    func found(milliseconds: Int) async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(.milliseconds(milliseconds), clock: simulation.clock)
            let run = knee(simulation, goal: .milliseconds(2 * milliseconds)) { await simulation.run($0, on: server) }
            let result = await run.run()
            let rate = try #require(result.rate)
            let truth = 1000 / Double(milliseconds)
            #expect(abs(rate / truth - 1) < 0.05)
            #expect(result.doubt == nil)
            #expect(result.best?.isConfirmation == true && result.best?.plan.duration == .seconds(10))
        }
    }

    @Test("ends with the best so far when the time is up")
    func timeUp() async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(.milliseconds(1), clock: simulation.clock)
            let run = knee(simulation, goal: .milliseconds(2), longest: .seconds(10)) {
                await simulation.run($0, on: server)
            }
            let result = await run.run()
            #expect(result.rate == 200 && result.doubt == "the time was up before the search was over")
        }
    }

    @Test("is not above the rate from which answers lack a branch, however fast they are")
    func incomplete() async throws {
        try await Simulation.with { simulation in
            let clock = simulation.clock
            let run = knee(simulation, goal: .milliseconds(20)) { plan in
                let code: RPCCode = plan.rate ?? 0 > 300 ? .deadlineExceeded : .ok
                let branch = BranchOutcome(name: "photos", code: code, nanoseconds: 1)
                return await LoadRun(plan, on: simulation.loop, clock: clock) { _ in
                    .answered(things: nil, branches: [branch])
                }.run()
            }
            let rate = try #require(await run.run().rate)
            #expect(rate > 290 && rate <= 300)
        }
    }

    @Test("is not blamed on the target when this program was late itself")
    func unclear() async throws {
        try await Simulation.with { simulation in
            let run = knee(simulation, goal: .milliseconds(20)) { plan in
                var tally = LoadTally()
                tally.length = plan.duration
                let now = simulation.clock.now
                let isLate = plan.rate ?? 0 > 300
                tally.add(.answered(things: nil), due: now, sent: now, end: now + .milliseconds(isLate ? 50 : 1))
                tally.add(lag: isLate ? 45_000_000 : 0)
                return tally
            }
            let result = await run.run()
            let rate = try #require(result.rate)
            #expect(rate > 290 && rate <= 300)
            #expect(result.doubt?.contains("this program was too slow itself") == true)
        }
    }

    private func knee(
        _ simulation: Simulation, goal: Duration, longest: Duration = .seconds(3600),
        _ load: @escaping @Sendable (LoadPlan) async -> LoadTally
    ) -> KneeRun {
        let plan = LoadPlan(
            pace: .open(rate: 100), outstanding: 1000, warmUp: .milliseconds(500), duration: .seconds(5), goal: goal)
        return KneeRun(
            plan: plan, longest: longest, now: { simulation.clock.now }, load: load, show: { _ in })
    }
}
