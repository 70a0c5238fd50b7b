import EventLoops
import RPC
import Testing

@Suite("P44 The choice among addresses")
struct BalancerTests {
    @Test("is even, to a fifth, among addresses that are alike", arguments: [2, 3, 8], [16, 64, 256])
    func even(addresses: Int, outstanding: Int) throws {
        var simulation = try Simulation(addresses: addresses)
        let takes = [Duration](repeating: .milliseconds(2), count: addresses)
        let counts = simulation.run(for: .seconds(4), outstanding: outstanding, takes: takes)
        let fair = Double(counts.reduce(0, +)) / Double(addresses)
        for count in counts { #expect(abs(Double(count) - fair) < fair / 5, "\(counts)") }
    }

    @Test("gives an address that is four times slower about a sixteenth of another's calls")
    func slow() throws {
        var simulation = try Simulation(addresses: 3)
        let takes: [Duration] = [.milliseconds(20), .milliseconds(20), .milliseconds(80)]
        _ = simulation.run(for: .seconds(10), outstanding: 120, takes: takes)
        let counts = simulation.run(for: .seconds(20), outstanding: 120, takes: takes)
        // (calls + 1) × latency is the same everywhere: a quarter of the calls at once, each of which takes four times
        // as long.
        let share = Double(counts[2]) * 2 / Double(counts[0] + counts[1])
        #expect(share > 1.0 / 24 && share < 1.0 / 10, "\(counts)")
    }

    @Test("tries an address that was slow again after a while, and finds it as fast as the others")
    func fading() throws {
        var simulation = try Simulation(addresses: 2)
        let slow = simulation.run(
            for: .seconds(5), outstanding: 1, takes: [.milliseconds(1), .milliseconds(100)])
        #expect(slow[1] < slow[0] / 20, "\(slow)")
        #expect(slow[1] > 0)
        simulation.pass(.seconds(10))
        let same = simulation.run(for: .seconds(5), outstanding: 16, takes: [.milliseconds(1), .milliseconds(1)])
        #expect(abs(same[0] - same[1]) < (same[0] + same[1]) / 10, "\(same)")
    }

    @Test("is not drawn to an address that is quick to refuse", arguments: [Balancer.Outcome.refused, .failed])
    func quickRefusal(outcome: Balancer.Outcome) throws {
        var rules = BalancingRules()
        rules.failuresToEject = .max
        var simulation = try Simulation(addresses: 3, rules: rules)
        let counts = simulation.run(
            for: .seconds(4), outstanding: 30, takes: [.milliseconds(5), .milliseconds(5), .microseconds(50)],
            ends: [.answered, .answered, outcome])
        #expect(counts[2] < counts[0] / 2, "\(counts)")
    }

    @Test("gives an address that has not answered yet one call, and more when it has")
    func unknown() throws {
        var simulation = try Simulation(addresses: 2)
        simulation.end(simulation.slots[0], .answered)
        simulation.pass(.milliseconds(1))
        let choice = simulation.balancer.choose(at: simulation.now)
        let first = try #require(choice)
        #expect(first == simulation.slots[1])
        simulation.balancer.started(first)
        for _ in 0..<100 {
            let next = simulation.balancer.choose(at: simulation.now)
            #expect(next == simulation.slots[0])
            if let next { simulation.balancer.started(next) }
        }
    }

    @Test("starts a new address with about a tenth of its share, and gives it all of it after five seconds")
    func slowStart() throws {
        var simulation = try Simulation(addresses: 2)
        let takes = [Duration](repeating: .milliseconds(1), count: 3)
        _ = simulation.run(for: .seconds(1), outstanding: 30, takes: takes)
        try simulation.add(isWarm: false)
        var shares: [Double] = []
        for _ in 0..<7 {
            let counts = simulation.run(for: .seconds(1), outstanding: 30, takes: takes)
            shares.append(Double(counts[2]) * 3 / Double(counts.reduce(0, +)))
        }
        #expect(shares[0] < 0.4, "\(shares)")
        #expect(shares[0] > 0.05, "\(shares)")
        for (earlier, later) in zip(shares, shares.dropFirst()) { #expect(later > earlier - 0.1, "\(shares)") }
        #expect(abs(shares[6] - 1) < 0.1, "\(shares)")
    }

    @Test("starts an address that is back slowly too, also between two")
    func back() throws {
        var simulation = try Simulation(addresses: 2)
        let takes = [Duration](repeating: .milliseconds(1), count: 2)
        _ = simulation.run(for: .seconds(1), outstanding: 30, takes: takes)
        simulation.balancer.set(simulation.slots[1], .down, at: simulation.now)
        #expect(simulation.run(for: .milliseconds(100), outstanding: 30, takes: takes)[1] == 0)
        simulation.balancer.set(simulation.slots[1], .up, at: simulation.now)
        let first = simulation.run(for: .milliseconds(500), outstanding: 30, takes: takes)
        #expect(first[1] > 0)
        #expect(first[1] < first[0] / 2, "\(first)")
        _ = simulation.run(for: .seconds(6), outstanding: 30, takes: takes)
        let last = simulation.run(for: .seconds(1), outstanding: 30, takes: takes)
        #expect(abs(last[0] - last[1]) < (last[0] + last[1]) / 10, "\(last)")
    }

    @Test("goes by what is connected: those that said hello, then those that have not, then none")
    func standings() throws {
        var simulation = try Simulation(addresses: 2)
        let (one, other) = (simulation.slots[0], simulation.slots[1])
        simulation.balancer.set(other, .greeting, at: simulation.now)
        for _ in 0..<50 { #expect(simulation.call(.answered) == one) }
        simulation.balancer.set(one, .down, at: simulation.now)
        #expect(simulation.call(.answered) == other)
        simulation.balancer.set(other, .down, at: simulation.now)
        #expect(simulation.call(.answered) == nil)
    }

    @Test("takes an address that was not tried yet, as long as there is one")
    func tried() throws {
        var simulation = try Simulation(addresses: 3)
        for _ in 0..<50 {
            var tried: [Balancer.Slot] = []
            for _ in 0..<3 {
                let slot = simulation.call(.answered, tried: tried)
                tried.append(try #require(slot))
            }
            #expect(Set(tried).count == 3)
            #expect(simulation.call(.answered, tried: tried) != nil)
            #expect(!simulation.balancer.hasOther(than: tried))
        }
    }

    @Test("passes over an address that the name has not any more, and takes it again when it has")
    func leaving() throws {
        var simulation = try Simulation(addresses: 2)
        simulation.balancer.set(simulation.slots[0], isLeaving: true, at: simulation.now)
        for _ in 0..<20 { #expect(simulation.call(.answered) == simulation.slots[1]) }
        simulation.balancer.set(simulation.slots[0], isLeaving: false, at: simulation.now)
        let both = Set((0..<100).compactMap { _ in simulation.call(.answered) })
        #expect(both.count == 2)
        simulation.balancer.remove(simulation.slots[0], at: simulation.now)
        try simulation.add(isWarm: true)
        #expect(simulation.slots[2] == simulation.slots[0], "a slot is used again")
    }

    @Test("spreads streams by how many are open, and calls without regard to them")
    func streams() throws {
        var simulation = try Simulation(addresses: 2)
        for slot in simulation.slots { simulation.end(slot, .answered) }
        simulation.pass(.milliseconds(2))
        simulation.balancer.count(open: 5, at: simulation.slots[0])
        for _ in 0..<20 {
            #expect(simulation.balancer.choose(at: simulation.now, isStream: true) == simulation.slots[1])
        }
        let calls = Set((0..<100).compactMap { _ in simulation.balancer.choose(at: simulation.now) })
        #expect(calls.count == 2)
    }
}
