package import EventLoops

/// Keeps retries from becoming a storm: at least twenty in each ten seconds, plus a fifth of the calls.
///
/// The twenty let a client that calls rarely, too, send elsewhere what a dying server had in flight. The form is that
/// of Finagle's budget (https://finagle.github.io/blog/2016/02/08/retry-budgets): a reserve and a share of the calls,
/// both over a sliding window.
package struct RetryBudget: Sendable {
    private struct Second {
        var calls = 0
        var retries = 0
    }

    private var seconds = [Second](repeating: Second(), count: window)
    private var calls = 0
    private var retries = 0
    /// The last second that was counted, since the clock's start.
    private var current: UInt64 = 0

    private static let window = 10
    private static let reserve = 20
    /// One retry for this many calls.
    private static let callsPerRetry = 5

    package init() {}

    /// A call begins. Its retries are not counted here.
    package mutating func callStarted(at now: MonotonicTime) {
        move(to: now)
        seconds[Int(current % UInt64(Self.window))].calls += 1
        calls += 1
    }

    /// Takes one retry; false when there is none.
    package mutating func takeRetry(at now: MonotonicTime) -> Bool {
        move(to: now)
        guard retries < Self.reserve + calls / Self.callsPerRetry else { return false }
        seconds[Int(current % UInt64(Self.window))].retries += 1
        retries += 1
        return true
    }

    /// Drops the seconds that have left the window.
    private mutating func move(to now: MonotonicTime) {
        let second = now.nanoseconds / 1_000_000_000
        guard second > current else { return }
        for passed in 1...min(second - current, UInt64(Self.window)) {
            let index = Int((current + passed) % UInt64(Self.window))
            calls -= seconds[index].calls
            retries -= seconds[index].retries
            seconds[index] = Second()
        }
        current = second
    }
}
