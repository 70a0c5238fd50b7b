/// How many calls of a method run at once, learned from the throughput that fewer and more of them give.
///
/// By Little's law, calls in flight = rate × latency: past the point where the server is busy, more calls in flight
/// raise the latency and not the rate. So while calls queue, the limit is halved as long as the rate stays the same,
/// and doubled as long as the rate grows with it. It settles a quarter above the smallest number that keeps the rate,
/// and probes both directions again from time to time. It never uses the latency itself, which proves nothing for a
/// method that is slow because it waits.
package struct ConcurrencyLimit: Sendable, Equatable {
    /// How many calls run at once; further calls wait.
    package private(set) var limit: Int
    private var phase = Phase.open

    private enum Phase: Sendable, Equatable {
        /// Not known to be needed.
        case open
        /// Twice as many calls run as when the rate was this.
        case rising(from: Double)
        /// Half as many calls run as when the rate was this; the first step down decides whether to go up instead.
        case falling(best: Double, isFirst: Bool)
        /// Settled for this many windows.
        case steady(windows: Int)
    }

    /// The limit before anything is known: more than most methods ever have in flight.
    package static let initial = 64
    private static let maximum = 8192
    /// A rate that grew less for twice the calls has not grown.
    private static let growth = 1.2
    /// A rate that fell to less for half the calls has fallen.
    private static let loss = 0.8
    /// Full windows before the limit is tried again.
    private static let steadyWindows = 20

    package init(initial: Int = Self.initial) { limit = initial }

    /// A window has passed in which so many calls a second ended. `isFull`: calls were waiting all the time; without
    /// that, the clients set the rate, and it is no measure of the limit.
    package mutating func windowEnded(rate: Double, isFull: Bool) {
        guard isFull else {
            phase = .open
            return
        }
        switch phase {
        case .open: fall(best: rate, isFirst: true)
        case .falling(let best, let isFirst) where rate < best * Self.loss:
            // Half as many are too few.
            if isFirst { rise(to: limit * 4, from: best) } else { settle(limit * 2) }
        case .falling where limit == 1: settle(1)
        case .falling(let best, _): fall(best: max(best, rate), isFirst: false)
        case .rising(let before) where rate >= before * Self.growth: rise(to: limit * 2, from: rate)
        case .rising: settle(limit / 2)
        case .steady(let windows) where windows < Self.steadyWindows: phase = .steady(windows: windows + 1)
        case .steady: fall(best: rate, isFirst: true)
        }
    }

    /// No call has ended while others waited: what a higher limit would bring is unknown, and a limit that is too low
    /// may be the cause.
    package mutating func nothingEnded() {
        phase = .open
        limit = min(limit * 2, Self.maximum)
    }

    private mutating func rise(to higher: Int, from rate: Double) {
        phase = .rising(from: rate)
        limit = min(higher, Self.maximum)
    }

    private mutating func fall(best: Double, isFirst: Bool) {
        phase = .falling(best: best, isFirst: isFirst)
        limit = max(1, limit / 2)
    }

    private mutating func settle(_ knee: Int) {
        limit = min(knee + max(1, knee / 4), Self.maximum)
        phase = .steady(windows: 0)
    }
}
