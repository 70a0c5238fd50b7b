import EventLoops
import RPC
import Testing

@Suite("P44 Ejection")
struct EjectionTests {
    private func ejected(_ simulation: Simulation) -> [Balancer.Slot] {
        simulation.slots.filter { simulation.balancer.ejectionEnd($0) != nil }
    }

    @Test("comes after five failures in a row, not after fewer, nor after five with a success in between")
    func fiveInARow() throws {
        var simulation = try Simulation(addresses: 2)
        let slot = simulation.slots[0]
        for _ in 0..<4 { simulation.end(slot, .failed) }
        simulation.end(slot, .answered)
        for _ in 0..<4 { simulation.end(slot, .failed) }
        #expect(ejected(simulation).isEmpty)
        simulation.end(slot, .failed)
        #expect(ejected(simulation) == [slot])
        for _ in 0..<50 { #expect(simulation.call(.answered) == simulation.slots[1]) }
        #expect(simulation.balancer.statistics(slot, at: simulation.now)?.ejections == 1)
    }

    @Test("counts connections that fail as well as calls")
    func connections() throws {
        var simulation = try Simulation(addresses: 2)
        for _ in 0..<5 { simulation.balancer.failed(simulation.slots[1], at: simulation.now) }
        #expect(ejected(simulation) == [simulation.slots[1]])
    }

    @Test("does not come for what says nothing of the server", arguments: [Balancer.Outcome.notStarted, .cancelled])
    func innocent(outcome: Balancer.Outcome) throws {
        var simulation = try Simulation(addresses: 2)
        for _ in 0..<100 { simulation.end(simulation.slots[0], outcome) }
        #expect(ejected(simulation).isEmpty)
    }

    @Test("never takes more than half of the addresses", arguments: 1...9)
    func half(addresses: Int) throws {
        var simulation = try Simulation(addresses: addresses)
        for _ in 0..<20 {
            for slot in simulation.slots {
                simulation.end(slot, .failed)
                #expect(ejected(simulation).count <= addresses / 2)
            }
        }
        #expect(ejected(simulation).count == addresses / 2)
        #expect(simulation.call(.answered) != nil)
    }

    @Test("lasts half to all of a second, twice as long each time, thirty seconds at most")
    func growing() throws {
        var simulation = try Simulation(addresses: 2)
        let slot = simulation.slots[0]
        for _ in 0..<5 { simulation.end(slot, .failed) }
        for turn in 0..<10 {
            let full = min(Duration.seconds(30), .seconds(1 << turn))
            let end = try #require(simulation.balancer.ejectionEnd(slot))
            let length = end.since(simulation.now)
            #expect(length >= full / 2 && length <= full, "turn \(turn): \(length)")
            simulation.pass(length)
            simulation.balancer.set(slot, .down, at: simulation.now)
            simulation.balancer.set(slot, .up, at: simulation.now)
            #expect(ejected(simulation).isEmpty)
            // On probation a single failure is enough.
            simulation.end(slot, .failed)
        }
    }

    @Test("ends on probation: one call at a time until one has ended well, then slowly up to the whole share")
    func probation() throws {
        var simulation = try Simulation(addresses: 2)
        let slot = simulation.slots[0]
        simulation.end(simulation.slots[1], .answered)
        for _ in 0..<5 { simulation.end(slot, .failed) }
        simulation.pass(.seconds(2))
        var chosen = 0
        for _ in 0..<1000 where simulation.balancer.choose(at: simulation.now) == slot {
            chosen += 1
            if chosen == 1 { simulation.balancer.started(slot) }
        }
        #expect(chosen == 1)
        simulation.pass(.milliseconds(1))
        simulation.balancer.ended(slot, .answered, since: simulation.now, at: simulation.now)
        let takes = [Duration](repeating: .milliseconds(1), count: 2)
        let first = simulation.run(for: .milliseconds(500), outstanding: 20, takes: takes)
        #expect(first[0] > 0 && first[0] < first[1], "\(first)")
        _ = simulation.run(for: .seconds(5), outstanding: 20, takes: takes)
        let last = simulation.run(for: .seconds(1), outstanding: 20, takes: takes)
        #expect(abs(last[0] - last[1]) < (last[0] + last[1]) / 10, "\(last)")
    }

    @Test("is short again after half a minute in which all went well")
    func forgiven() throws {
        var simulation = try Simulation(addresses: 2)
        let slot = simulation.slots[0]
        for _ in 0..<5 { simulation.end(slot, .failed) }
        simulation.pass(.seconds(1))
        _ = simulation.call(.answered)
        simulation.end(slot, .answered)
        simulation.pass(.seconds(31))
        simulation.end(slot, .answered)
        for _ in 0..<5 { simulation.end(slot, .failed) }
        let end = try #require(simulation.balancer.ejectionEnd(slot))
        #expect(end.since(simulation.now) <= .seconds(1))
    }

    @Test("leaves an ejected address to be used when no other is up")
    func lastResort() throws {
        var simulation = try Simulation(addresses: 2)
        for _ in 0..<5 { simulation.end(simulation.slots[0], .failed) }
        simulation.balancer.set(simulation.slots[1], .down, at: simulation.now)
        #expect(simulation.call(.answered) == simulation.slots[0])
    }
}
