package import EventLoops

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
