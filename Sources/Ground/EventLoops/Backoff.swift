/// How long to wait before the next attempt: doubling, with jitter, so that clients do not come back in step.
package struct Backoff: Sendable {
    private let times: ClosedRange<Duration>
    private var failures: Int

    /// Starts with this many failures already counted.
    package init(first: Duration = .milliseconds(50), longest: Duration = .seconds(2), failures: Int = 0) {
        times = first...max(first, longest)
        self.failures = failures
    }

    package mutating func reset() { failures = 0 }

    /// The wait after one more failure: between half and all of the doubled time.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        defer { failures += 1 }
        return Self.longestWait(in: times, failures: failures) * Double.random(in: 0.5...1, using: &random)
    }

    /// The lower bound, doubled with each failure up to the upper one.
    package static func longestWait(in times: ClosedRange<Duration>, failures: Int) -> Duration {
        min(times.upperBound, times.lowerBound * (1 << min(max(0, failures), 20)))
    }
}
