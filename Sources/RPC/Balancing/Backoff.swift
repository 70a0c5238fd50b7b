/// How long to wait before the next try: doubling, with jitter, so that clients do not come back in step.
package struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration
    private var failures: Int

    /// After so many failures already.
    package init(first: Duration = .milliseconds(50), longest: Duration = .seconds(2), failures: Int = 0) {
        self.first = first
        self.longest = longest
        self.failures = failures
    }

    package mutating func reset() { failures = 0 }

    /// The wait after one more failure: between half and all of the doubled time.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let full = min(longest, first * (1 << min(failures, 20)))
        failures += 1
        return full * Double.random(in: 0.5...1, using: &random)
    }
}
