import EventLoops
import RPC
import TestTools

/// A balancer before servers that take a while for each call, in a time of its own.
struct Simulation {
    var balancer: Balancer
    private(set) var slots: [Balancer.Slot] = []
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private var running: [(end: MonotonicTime, start: MonotonicTime, slot: Balancer.Slot)] = []
    private var random = SeededGenerator(seed: 3)

    /// Addresses that are up and warm.
    init(addresses: Int, rules: BalancingRules = BalancingRules()) throws {
        balancer = Balancer(rules, random: QuickRandom(seed: 7))
        for _ in 0..<addresses { try add(isWarm: true) }
    }

    /// One more address, which is up at once.
    mutating func add(isWarm: Bool) throws {
        let port = UInt16(1000 + slots.count)
        let address = try Endpoint(host: "127.0.0.1", port: port).resolve()[0]
        let slot = balancer.add(address, isWarm: isWarm)
        balancer.set(slot, .up, at: now)
        slots.append(slot)
    }

    mutating func pass(_ time: Duration) { now = now + time }

    /// Sends calls for so long, always so many of them at once. Each takes what its address takes, give or take a
    /// fifth, and ends as its address answers. Gives how many went to each address.
    mutating func run(
        for time: Duration, outstanding: Int, takes: [Duration], ends: [Balancer.Outcome] = []
    ) -> [Int] {
        var counts = [Int](repeating: 0, count: slots.count)
        let end = now + time
        while now < end {
            while running.count < outstanding, let slot = balancer.choose(at: now) {
                balancer.started(slot)
                counts[slot] += 1
                running.append((now + takes[slot] * Double.random(in: 0.8...1.2, using: &random), now, slot))
            }
            guard let next = running.indices.min(by: { running[$0].end < running[$1].end }) else { return counts }
            let call = running.remove(at: next)
            now = max(now, call.end)
            balancer.ended(call.slot, ends.isEmpty ? .answered : ends[call.slot], since: call.start, at: now)
        }
        return counts
    }

    /// One call that ends as said after a millisecond. Gives where it went.
    mutating func call(_ outcome: Balancer.Outcome, tried: [Balancer.Slot] = []) -> Balancer.Slot? {
        guard let slot = balancer.choose(at: now, tried: tried) else { return nil }
        end(slot, outcome)
        return slot
    }

    /// A call to this address that ends as said after a millisecond, while no time passes for anybody else.
    mutating func end(_ slot: Balancer.Slot, _ outcome: Balancer.Outcome) {
        balancer.started(slot)
        balancer.ended(slot, outcome, since: now, at: now + .milliseconds(1))
    }
}
