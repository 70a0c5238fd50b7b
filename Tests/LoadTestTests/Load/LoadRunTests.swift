import EventLoops
import RPC
import Synchronization
import Testing

@testable import LoadTest

@Suite("P40 A load on a clock that a test turns", .timeLimit(.minutes(2)))
struct LoadRunTests {
    private func plan(_ pace: LoadPlan.Pace, outstanding: Int = 100_000, seconds: Int = 10) -> LoadPlan {
        LoadPlan(pace: pace, outstanding: outstanding, warmUp: .seconds(1), duration: .seconds(seconds))
    }

    @Test("below what the target can do, every call takes its time, and as many are answered as asked")
    func relaxed() async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(.milliseconds(10), clock: simulation.clock)
            let tally = await simulation.run(plan(.open(rate: 50)), on: server)
            #expect(tally.latency.count == 500)
            #expect(tally.latency.smallest == 10_000_000 && tally.latency.largest == 10_000_000)
            #expect(abs(tally.rate - 50) < 0.2 && tally.length == .seconds(10))
            #expect(tally.lag.largest == 0 && tally.unsent == 0)
            #expect(await server.calls == 550)
        }
    }

    @Test("a target that stands still for 1.4 s is seen by all that was due meanwhile")
    func stall() async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(
                .microseconds(100), clock: simulation.clock, stall: (.seconds(5), .milliseconds(1400)))
            let tally = await simulation.run(plan(.open(rate: 1000), seconds: 20), on: server)
            #expect(tally.latency.count == 20_000)
            // 1,400 calls wait, the first 1.4 s, each one 0.9 ms less than the one before; 200 of them are the last
            // hundredth of all.
            #expect(tally.latency.time(1) >= .milliseconds(1399) && tally.latency.time(1) <= .milliseconds(1402))
            #expect(tally.latency.time(0.99) > .milliseconds(1210) && tally.latency.time(0.99) < .milliseconds(1230))
            #expect(tally.latency.time(0.9) < .milliseconds(1))
        }
    }

    @Test(
        "with few calls under way the stall is the same, and the uncorrected figures do not show it", arguments: [1, 8])
    func lie(outstanding: Int) async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(
                .microseconds(100), clock: simulation.clock, stall: (.seconds(5), .milliseconds(1400)))
            let tally = await simulation.run(plan(.open(rate: 1000), outstanding: outstanding, seconds: 20), on: server)
            #expect(tally.latency.count == 20_000)
            #expect(tally.latency.time(0.99) > .milliseconds(1210) && tally.latency.time(0.99) < .milliseconds(1230))
            #expect(tally.uncorrected.time(0.999) < .milliseconds(1))
            #expect(tally.uncorrected.time(1) > .milliseconds(1390))
            #expect(tally.lag.largest <= 100_000, "what the target held up is not this program's fault")
        }
    }

    @Test("more than the target can do waits longer and longer; what could not be sent counts too")
    func overload() async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(.milliseconds(10), clock: simulation.clock)
            let tally = await simulation.run(plan(.open(rate: 200), outstanding: 10), on: server)
            #expect(abs(tally.rate - 100) < 1)
            #expect(tally.latency.count == 2000)
            // 11 s at 200 a second are due, and 1,100 and those under way were sent.
            #expect((1085...1100).contains(tally.unsent))
            #expect(tally.latency.time(0.5) > .seconds(2))
            #expect(tally.uncorrected.time(1) <= .milliseconds(101), "only ten wait in the target at a time")
        }
    }

    @Test("a closed loop has always the same number of calls under way")
    func closed() async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(.milliseconds(1), clock: simulation.clock)
            let tally = await simulation.run(plan(.closed, outstanding: 8, seconds: 2), on: server)
            #expect(abs(tally.rate - 1000) < 2)
            #expect(tally.latency.time(0.5) == .milliseconds(8))
            #expect(tally.lag.count == 0)
        }
    }

    @Test("failures are counted with their code, their time and their first message")
    func failures() async throws {
        try await Simulation.with { simulation in
            let clock = simulation.clock
            let run = LoadRun(plan(.open(rate: 100)), on: simulation.loop, clock: clock) { turn in
                await clock.wait(until: clock.now + .milliseconds(turn.isMultiple(of: 4) ? 30 : 1))
                return turn.isMultiple(of: 4)
                    ? .failed(.unavailable, message: "gone \(turn)") : .answered(things: turn % 3)
            }
            let tally = await run.run()
            let gone = try #require(tally.failures[.unavailable])
            #expect(tally.failed == 250 && gone.latency.time(0.5) == .milliseconds(30) && gone.message == "gone 100")
            #expect(tally.latency.count == 1000 && tally.latency.time(0.99) == .milliseconds(30))
            #expect(tally.things.answers == 750 && tally.things.least == 0 && tally.things.most == 2)
            #expect(abs(tally.rate - 75) < 0.2)
        }
    }

    @Test(
        "each branch of an answer is counted with its code and its time, and an answer that lacks one is no whole one")
    func branches() async throws {
        try await Simulation.with { simulation in
            let clock = simulation.clock
            let run = LoadRun(plan(.open(rate: 100)), on: simulation.loop, clock: clock) { turn in
                let isLate = turn.isMultiple(of: 5)
                return .answered(
                    things: nil,
                    branches: [
                        BranchOutcome(name: "places", code: .ok, nanoseconds: 2_000_000),
                        BranchOutcome(
                            name: "pins", code: isLate ? .deadlineExceeded : .ok, nanoseconds: isLate ? 9_000_000 : 1),
                    ])
            }
            let tally = await run.run()
            #expect(tally.branches.map(\.name) == ["places", "pins"] && tally.incomplete == 200)
            #expect(tally.branches[0].codes == [.ok: 1000] && tally.branches[0].latency.time(0.5) == .milliseconds(2))
            #expect(tally.branches[1].codes == [.ok: 800, .deadlineExceeded: 200])
            #expect(tally.branches[1].latency.time(0.79) == .nanoseconds(1))
            #expect(tally.branches[1].latency.time(0.81) == .milliseconds(9))
        }
    }

    @Test("what is stopped tells what was measured so far, and counts what was under way")
    func cancelled() async throws {
        try await Simulation.with { simulation in
            let clock = simulation.clock
            let task = Mutex<Task<LoadTally, Never>?>(nil)
            let run = LoadRun(plan(.open(rate: 100)), on: simulation.loop, clock: clock) { turn in
                let waited = clock.now + .milliseconds(turn > 290 ? 60_000 : 1)
                if turn == 300 { task.withLock { $0?.cancel() } }
                while clock.now < waited, !Task.isCancelled { await clock.wait(until: clock.now + .milliseconds(1)) }
                return Task.isCancelled ? .failed(.cancelled, message: "") : .answered(things: nil)
            }
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let running = Task {
                for await _ in started { break }
                return await run.run()
            }
            task.withLock { $0 = running }
            start.yield()
            let tally = await running.value
            #expect(tally.length < .seconds(3) && tally.length >= .seconds(2))
            #expect(tally.latency.count == 201 && tally.cutOff == 10 && tally.failed == 0)
        }
    }

    @Test("a load with a goal is given up as soon as a hundredth of its calls have missed it")
    func givenUp() async throws {
        try await Simulation.with { simulation in
            let server = SimulatedServer(.milliseconds(10), clock: simulation.clock)
            var plan = plan(.open(rate: 200))
            plan.goal = .milliseconds(20)
            let tally = await simulation.run(plan, on: server)
            #expect(tally.length < .seconds(2), "21 calls are enough")
            #expect(!KneeRun.keeps(plan, tally))
        }
    }
}
