package import EventLoops

/// How a client spreads its calls over the addresses of a name.
package struct BalancingRules: Sendable {
    /// How often the name is looked up, give or take a fifth.
    package var lookupInterval: Duration = .seconds(5)
    /// The least time between two lookups, whatever fails.
    package var shortestLookupInterval: Duration = .seconds(1)
    /// How many addresses of a name are used.
    package var maximumAddresses = 128
    /// How long an address that is new or was readmitted takes to reach its full share of the calls.
    package var slowStart: Duration = .seconds(5)
    /// How many failures in a row eject an address.
    package var failuresToEject = 5
    /// How long the first ejection lasts; each further one lasts twice as long.
    package var firstEjection: Duration = .seconds(1)
    package var longestEjection: Duration = .seconds(30)

    package init() {}
}

/// How much of its share an address gets while it warms up.
///
/// The weight grows in proportion to time, from a tenth to the whole, as Envoy's does with aggression 1
/// (https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/slow_start).
package struct SlowStart: Sendable {
    private var start: MonotonicTime?
    private let window: Duration

    private static let least = 0.1

    /// Warm until `begin`.
    package init(window: Duration) { self.window = window }

    package mutating func begin(at now: MonotonicTime) { start = window > .zero ? now : nil }

    /// 0.1 to 1.
    package func weight(at now: MonotonicTime) -> Double {
        guard let start, now < end else { return 1 }
        return max(Self.least, now.since(start) / window)
    }

    /// When the weight reaches 1; a time long past when it has.
    package var end: MonotonicTime { start.map { $0 + window } ?? MonotonicTime(nanoseconds: 0) }
}

/// Whether an address is ejected because calls to it fail, and for how long.
///
/// After a number of failures in a row it is ejected for a while, then readmitted on probation: one call at a time,
/// until one succeeds. A failure on probation ejects it again, for twice as long.
package struct Ejection: Sendable {
    private let rules: BalancingRules
    private var failures = 0
    /// How often it was ejected without a good period in between.
    private var level = 0
    private var end: MonotonicTime?
    private var readmitted: MonotonicTime?
    /// Whether it was readmitted and no call has succeeded since.
    package private(set) var isOnProbation = false

    package init(_ rules: BalancingRules) { self.rules = rules }

    /// When it may be readmitted; nil when it is not ejected.
    package var until: MonotonicTime? { end }

    /// A call succeeded.
    package mutating func succeeded(at now: MonotonicTime) {
        failures = 0
        isOnProbation = false
        if let readmitted, now.since(readmitted) >= rules.longestEjection { level = 0 }
    }

    /// A call or a connection failed. True when the address is to be ejected for it.
    package mutating func failed() -> Bool {
        failures += 1
        return end == nil && (isOnProbation || failures >= rules.failuresToEject)
    }

    /// Ejects it, for between half and all of the doubled time, so that clients do not come back in step.
    package mutating func eject(at now: MonotonicTime, using random: inout QuickRandom) {
        var backoff = Backoff(first: rules.firstEjection, longest: rules.longestEjection, failures: level)
        end = now + backoff.next(using: &random)
        level += 1
        isOnProbation = false
    }

    /// Readmits it on probation when its ejection is over. True when it was readmitted now.
    package mutating func readmit(at now: MonotonicTime) -> Bool {
        guard let end, now >= end else { return false }
        self.end = nil
        readmitted = now
        isOnProbation = true
        failures = 0
        return true
    }
}
