import EventLoops
import Terminal

/// How a target is loaded, and for how long.
package struct LoadPlan: Sendable, Equatable {
    package enum Pace: Sendable, Equatable {
        /// Calls are due at a fixed rate per second, whether or not earlier ones have ended (open loop).
        case open(rate: Double)
        /// Each call's end starts the next (closed loop).
        case closed
    }

    package var pace: Pace
    /// How many calls are in flight at once: always in a closed loop, at most in an open one.
    package var outstanding: Int
    /// How long it runs before anything is counted.
    package var warmUp: Duration
    /// How long it is measured.
    package var duration: Duration
    /// Given up as soon as a hundredth of the calls have certainly taken longer than this, failed, or lack a branch;
    /// nil: never.
    package var goal: Duration?

    package init(pace: Pace, outstanding: Int, warmUp: Duration, duration: Duration, goal: Duration? = nil) {
        self.pace = pace
        self.outstanding = outstanding
        self.warmUp = warmUp
        self.duration = duration
        self.goal = goal
    }

    /// Calls per second; nil in a closed loop.
    package var rate: Double? {
        guard case .open(let rate) = pace else { return nil }
        return rate
    }
}

/// When a load begins, is measured and ends.
struct LoadWindow: Sendable {
    let start: MonotonicTime
    let measured: MonotonicTime
    var end: MonotonicTime

    init(_ plan: LoadPlan, from start: MonotonicTime) {
        self.start = start
        measured = start + plan.warmUp
        end = measured + plan.duration
    }

    func counts(_ time: MonotonicTime) -> Bool { time >= measured && time < end }

    var length: Duration { end.since(measured) }
}

/// The options of a load.
package struct LoadOptions: Sendable {
    package let plan: LoadPlan
    package let connections: Int
    package let seed: UInt64
    package let showsUncorrected: Bool
    /// The URL to call over HTTP instead of the RPC: "http://127.0.0.1:7780". Nil for none.
    package let http: String?
    /// The file for the page; nil for none.
    package let page: String?
    /// The time that a search for the knee may take; nil when none was requested.
    package let kneeTime: Duration?

    package init(
        plan: LoadPlan, connections: Int, seed: UInt64, showsUncorrected: Bool, http: String?, page: String?,
        kneeTime: Duration?
    ) {
        self.plan = plan
        self.connections = connections
        self.seed = seed
        self.showsUncorrected = showsUncorrected
        self.http = http
        self.page = page
        self.kneeTime = kneeTime
    }
}

/// The progress of a load.
package struct LoadProgress: Sendable {
    /// 0...1, warm-up included.
    let fraction: Double
    let isWarmingUp: Bool
    let answered: UInt64
    let failed: UInt64
    /// Nanoseconds.
    let p99: UInt64

    /// "████░░░░  12,345 answered, 0 failed, p99 1.2 ms"
    package var text: String {
        let bar = ProgressLine.bar(fraction)
        if isWarmingUp { return "\(bar)  warming up" }
        return
            "\(bar)  \(Quantity.count(answered)) answered, \(Quantity.count(failed)) failed, p99 \(Quantity.latency(p99))"
    }
}
