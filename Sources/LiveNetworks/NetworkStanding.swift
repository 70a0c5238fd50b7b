/// What a live network may be asked for.
package struct NetworkRules: Equatable, Sendable {
    /// Requests a second, in the long run.
    package var perSecond: Double
    /// How many may go at once after a pause.
    package var burst: Int
    /// Requests a day, from midnight UTC.
    package var perDay: Int
    /// Requests that wait for an answer at the same time.
    package var atOnce: Int
    /// Requests that one search may take.
    package var perSearch: Int
    /// How long an answer is good, in milliseconds.
    package var expiryMilliseconds: Int64

    /// Failures in a row after which a network is left alone.
    static let mostFailures: Int64 = 5
    /// For how long at first; twice as long after each further failure, up to the longest.
    static let firstPauseMilliseconds: Int64 = 30_000
    static let longestPauseMilliseconds: Int64 = 600_000
    /// How long a network is left alone that refuses without saying for how long.
    static let defaultRefusalMilliseconds: Int64 = 60_000
    /// The longest time that a network can ask to be left alone.
    static let longestClosedMilliseconds: Int64 = 86_400_000
    /// How long a request waits for its turn; what would wait longer is refused.
    static let longestWaitMilliseconds: Int64 = 10_000

    package init(
        perSecond: Double, burst: Int = 2, perDay: Int, atOnce: Int = 2, perSearch: Int = 64,
        expiryMilliseconds: Int64 = 24 * 3_600_000
    ) {
        self.perSecond = perSecond
        self.burst = burst
        self.perDay = perDay
        self.atOnce = atOnce
        self.perSearch = perSearch
        self.expiryMilliseconds = expiryMilliseconds
    }

    /// The interval between two requests in microseconds.
    var intervalMicroseconds: Int64 { max(1, Int64(1_000_000 / max(perSecond, 0.000_1))) }
}

/// How we stand with a live network: what we may still ask today, when the next request is due, and whether it is left
/// alone for a while. Kept as a row, so that a restart forgets none of it.
package struct NetworkStanding: Equatable, Sendable {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// When the next request is due by the rate alone, in microseconds since 1970.
    package var slotMicroseconds: Int64
    /// Days since 1970, and what was asked on that one.
    package var day: Int64
    package var dayCount: Int64
    /// Failures since the last success.
    package var failures: Int64
    /// Until when nothing is asked, in milliseconds since 1970. Each closing raises it, so that a remembered value
    /// shows whether there was one since.
    package var closedUntil: Int64
    /// What the last failure was; nil after a success.
    package var lastFailure: AskFailure?

    package init(
        slotMicroseconds: Int64 = 0, day: Int64 = 0, dayCount: Int64 = 0, failures: Int64 = 0, closedUntil: Int64 = 0,
        lastFailure: AskFailure? = nil
    ) {
        self.slotMicroseconds = slotMicroseconds
        self.day = day
        self.dayCount = dayCount
        self.failures = failures
        self.closedUntil = closedUntil
        self.lastFailure = lastFailure
    }

    /// Whether a request may go, and after how many milliseconds.
    package enum Permit: Equatable, Sendable {
        case go(afterMilliseconds: Int64)
        case refused(AskFailure)
    }

    /// Asks for a request at a time in milliseconds since 1970; one that may go is counted.
    package mutating func permit(at now: Int64, _ rules: NetworkRules) -> Permit {
        forgetImpossible(at: now, rules)
        if closedUntil > now { return .refused(closed(for: closedUntil - now)) }
        if let refusal = overBudget(at: now, rules) { return .refused(refusal) }
        let interval = rules.intervalMicroseconds
        let micros = now * 1_000
        let due = max(slotMicroseconds, micros - interval * Int64(rules.burst - 1))
        let wait = max(0, due - micros + 999) / 1_000
        guard wait <= NetworkRules.longestWaitMilliseconds else {
            return .refused(
                AskFailure(.quota, "its rate allows no more requests for now", retryAfterMilliseconds: wait))
        }
        slotMicroseconds = due + interval
        dayCount += 1
        // One request tries whether it is back; the others wait for what comes of it.
        if failures >= NetworkRules.mostFailures { closedUntil = now + NetworkRules.firstPauseMilliseconds }
        return .go(afterMilliseconds: wait)
    }

    /// Why a request that was permitted when `closedUntil` was `closing` may no longer go; nil when it may.
    package func refusal(since closing: Int64, at now: Int64) -> AskFailure? {
        closedUntil != closing && closedUntil > now ? closed(for: closedUntil - now) : nil
    }

    /// Notes that a request that was permitted when `closedUntil` was `closing` was answered. A closing since then
    /// stays: the network had taken the request before it asked to be left alone.
    package mutating func succeeded(since closing: Int64) {
        guard closedUntil == closing else { return }
        failures = 0
        closedUntil = 0
        lastFailure = nil
    }

    /// Notes that a request was answered, and that the network gives no more answers for so many milliseconds.
    package mutating func exhausted(for pause: Int64, at now: Int64) {
        lastFailure = AskFailure(.quota, "it gives no more answers for now")
        closedUntil = max(closedUntil + 1, now + pause)
    }

    /// Notes that a request failed: the network is left alone when it asks for that, or has failed too often.
    package mutating func failed(_ failure: AskFailure, at now: Int64) {
        failures += 1
        lastFailure = failure
        let fallback: Int64? = failure.kind == .quota ? NetworkRules.defaultRefusalMilliseconds : nil
        var pause = failure.retryAfterMilliseconds ?? fallback
        let more = failures - NetworkRules.mostFailures
        if more >= 0 {
            let longer = NetworkRules.firstPauseMilliseconds << min(more, 10)
            pause = max(pause ?? 0, min(longer, NetworkRules.longestPauseMilliseconds))
        }
        if let pause { closedUntil = max(closedUntil + 1, now + pause) }
    }

    private func closed(for wait: Int64) -> AskFailure {
        let why = lastFailure.map { ": \($0.reason)" } ?? ""
        return AskFailure(
            lastFailure?.kind ?? .unavailable, "it is left alone for \((wait + 999) / 1_000) s\(why)",
            retryAfterMilliseconds: wait)
    }

    /// A time further ahead than any that is ever kept was written by a clock that was wrong, and is dropped.
    private mutating func forgetImpossible(at now: Int64, _ rules: NetworkRules) {
        let longestWait = NetworkRules.longestWaitMilliseconds * 1_000 + rules.intervalMicroseconds
        if slotMicroseconds - now * 1_000 > longestWait { slotMicroseconds = now * 1_000 }
        if closedUntil - now > NetworkRules.longestClosedMilliseconds { closedUntil = now }
    }

    private mutating func overBudget(at now: Int64, _ rules: NetworkRules) -> AskFailure? {
        let today = now / Self.dayMilliseconds
        if day != today { (day, dayCount) = (today, 0) }
        guard dayCount >= Int64(rules.perDay) else { return nil }
        return AskFailure(
            .quota, "today's \(rules.perDay) requests are used up",
            retryAfterMilliseconds: (today + 1) * Self.dayMilliseconds - now)
    }
}
