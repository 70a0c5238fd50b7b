package import EventLoops

extension Balancer {
    /// The latency, in nanoseconds, that counts for an address that has not answered yet, for each call that waits
    /// there: the first call goes there at once, the next ones once it is known how long that took.
    private static let unknownLatency = 1e9

    /// Added to each latency, in nanoseconds: smaller differences are chance, and the number of calls is to decide.
    private static let leastLatency = 1e6

    /// The address for a call, not one of those in `tried` if there is another; nil when none can be called.
    ///
    /// A stream outlives what is known of an address, so a stream is placed by the number of open calls and streams
    /// there. For a unary call streams do not count, since most of them idle.
    package mutating func choose(at now: MonotonicTime, tried: [Slot] = [], isStream: Bool = false) -> Slot? {
        if now >= nextReadmission { refresh(at: now) }
        if choices.count == 1 { return choices[0] }
        if tried.isEmpty { return better(of: choices, at: now, isStream) }
        let others = choices.filter { !tried.contains($0) }
        return better(of: others.isEmpty ? choices : others, at: now, isStream)
    }

    /// Whether there is an address to choose that is not in `tried`.
    package func hasOther(than tried: [Slot]) -> Bool { choices.contains { !tried.contains($0) } }

    private mutating func better(of slots: [Slot], at now: MonotonicTime, _ isStream: Bool) -> Slot? {
        guard slots.count > 1 else { return slots.first }
        let (one, other) = now < warmTime ? drawByWeight(slots, at: now) : draw(slots)
        guard one != other else { return one }
        return load(other, at: now, isStream) < load(one, at: now, isStream) ? other : one
    }

    /// Draws two different ones.
    private mutating func draw(_ slots: [Slot]) -> (Slot, Slot) {
        let one = Int.random(in: 0..<slots.count, using: &random)
        let other = Int.random(in: 0..<slots.count - 1, using: &random)
        return (slots[one], slots[other < one ? other : other + 1])
    }

    /// Draws two that may be the same: of two addresses, two different ones would always be both, and the one that is
    /// warming up would be chosen whenever its load is lower.
    private mutating func drawByWeight(_ slots: [Slot], at now: MonotonicTime) -> (Slot, Slot) {
        let weights = slots.map { isOnTrial($0) ? 0 : entries[$0]?.slowStart.weight(at: now) ?? 1 }
        let total = weights.reduce(0, +)
        guard total > 0 else { return draw(slots) }
        return (
            slots[Self.index(of: Double.random(in: 0..<total, using: &random), in: weights)],
            slots[Self.index(of: Double.random(in: 0..<total, using: &random), in: weights)]
        )
    }

    /// Which of the weights, laid end to end, contains a point.
    private static func index(of point: Double, in weights: [Double]) -> Int {
        var left = point
        for index in weights.indices {
            left -= weights[index]
            if left < 0 { return index }
        }
        return weights.lastIndex { $0 > 0 } ?? 0
    }

    /// Whether the one call that it gets on probation is still running.
    private func isOnTrial(_ slot: Slot) -> Bool {
        entries[slot]?.ejection.isOnProbation == true && outstanding(slot) > 0
    }

    private func load(_ slot: Slot, at now: MonotonicTime, _ isStream: Bool) -> Double {
        guard let entry = entries[slot], !isOnTrial(slot) else { return .infinity }
        let outstanding = entry.statistics.outstanding
        if isStream { return Double(outstanding + entry.statistics.streams) }
        guard let latency = entry.latency.estimate(at: now) else { return Double(outstanding) * Self.unknownLatency }
        return Double(outstanding + 1) * (latency + Self.leastLatency)
    }
}

/// Random numbers for choices where predicting them gains an attacker nothing, without a system call for each:
/// SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
package struct QuickRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The same seed gives the same numbers.
    package init(seed: UInt64 = .random(in: .min ... .max)) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
