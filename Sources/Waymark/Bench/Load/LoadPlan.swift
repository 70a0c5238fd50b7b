import EventLoops

/// How a target is loaded, and for how long.
struct LoadPlan: Sendable, Equatable {
    enum Pace: Sendable, Equatable {
        /// Calls are due at a fixed rate a second, whatever becomes of those before (open loop).
        case open(rate: Double)
        /// Each call's end starts the next (closed loop).
        case closed
    }

    var pace: Pace
    /// How many calls are under way at once: always in a closed loop, at most in an open one.
    var outstanding: Int
    /// How long it runs before anything is counted.
    var warmUp: Duration
    /// How long it is counted.
    var duration: Duration
    /// Given up as soon as a hundredth of the calls have surely taken longer than this, or failed; nil never.
    var goal: Duration?

    /// Calls a second; nil in a closed loop.
    var rate: Double? {
        guard case .open(let rate) = pace else { return nil }
        return rate
    }
}

/// When a load begins, is counted and ends.
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
