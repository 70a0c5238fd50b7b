package import EventLoops

/// Whether an address is left out because calls to it fail, and for how long.
///
/// After a number of failures in a row it is left out for a while, then let in on probation: one call at a time, until
/// one ends well. A failure on probation leaves it out again, for twice as long.
package struct Ejection: Sendable {
    private let rules: BalancingRules
    private var failures = 0
    /// How often it was ejected without a good time in between.
    private var level = 0
    private var end: MonotonicTime?
    private var readmitted: MonotonicTime?
    /// Whether it was let in again, and no call has ended well since.
    package private(set) var isOnProbation = false

    package init(_ rules: BalancingRules) { self.rules = rules }

    /// When it may be let in again; nil when it is not left out.
    package var until: MonotonicTime? { end }

    /// A call ended well.
    package mutating func succeeded(at now: MonotonicTime) {
        failures = 0
        isOnProbation = false
        if let readmitted, now.since(readmitted) >= rules.longestEjection { level = 0 }
    }

    /// A call or a connection failed. True when that is reason to eject it.
    package mutating func failed() -> Bool {
        failures += 1
        return end == nil && (isOnProbation || failures >= rules.failuresToEject)
    }

    /// Leaves it out: for between half and all of the doubled time, so that clients do not come back in step.
    package mutating func eject(at now: MonotonicTime, using random: inout QuickRandom) {
        var backoff = Backoff(first: rules.firstEjection, longest: rules.longestEjection, failures: level)
        end = now + backoff.next(using: &random)
        level += 1
        isOnProbation = false
    }

    /// Lets it in on probation when its time is over. True when that was now.
    package mutating func readmit(at now: MonotonicTime) -> Bool {
        guard let end, now >= end else { return false }
        self.end = nil
        readmitted = now
        isOnProbation = true
        failures = 0
        return true
    }
}
