/// The limits on requests to a live network.
package struct NetworkRules: Equatable, Sendable {
    /// Requests per second, in the long run.
    package var perSecond: Double
    /// How many may go at once after a pause.
    package var burst: Int
    /// Requests per day, from midnight UTC.
    package var perDay: Int
    /// Requests that wait for an answer at the same time.
    package var atOnce: Int
    /// Requests that one search may make, over all of its passes.
    package var perSearch: Int
    /// How long an answer stays valid, in milliseconds.
    package var expiryMilliseconds: Int64

    /// Failures in a row after which a network is paused.
    static let maximumFailures: Int64 = 5
    /// The first pause; twice as long after each further failure, up to the longest.
    static let firstPauseMilliseconds: Int64 = 30_000
    static let longestPauseMilliseconds: Int64 = 600_000
    /// The pause after a refusal that does not say how long.
    static let defaultRefusalMilliseconds: Int64 = 60_000
    /// The longest pause that a network can ask for.
    package static let longestClosedMilliseconds: Int64 = 86_400_000
    /// How long a request may wait for its turn; one that would wait longer is refused.
    static let longestWaitMilliseconds: Int64 = 10_000

    /// For how long an answer is known, unless a setting says otherwise.
    package static let usualExpiryMilliseconds: Int64 = 24 * 3_600_000

    package init(
        perSecond: Double, burst: Int = 2, perDay: Int, atOnce: Int = 2, perSearch: Int = 64,
        expiryMilliseconds: Int64 = Self.usualExpiryMilliseconds
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

/// The standing of a live network with us: what we may still ask today, when the next request is due, and whether it is
/// paused. Stored as a row, so that a restart forgets none of it.
package struct NetworkStanding: Equatable, Sendable {
    static let dayMilliseconds: Int64 = 86_400_000

    /// When the next request is due by the rate alone, in microseconds since 1970.
    package var slotMicroseconds: Int64
    /// The day since 1970, and the number of requests on it.
    package var day: Int64
    package var dayCount: Int64
    /// Failures since the last success.
    package var failures: Int64
    /// Until when nothing is asked, in milliseconds since 1970. Each pause raises it, so that a remembered value shows
    /// whether there was one since.
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

    /// Whether a request may be sent, and after how many milliseconds.
    package enum Permit: Equatable, Sendable {
        case go(afterMilliseconds: Int64)
        case refused(AskFailure)
    }

    /// Requests permission at a time in milliseconds since 1970; a permitted request is counted.
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
        // One request tests whether it is back; the others wait for its result.
        if failures >= NetworkRules.maximumFailures { closedUntil = now + NetworkRules.firstPauseMilliseconds }
        return .go(afterMilliseconds: wait)
    }

    /// Why a request that was permitted when `closedUntil` was `closing` may no longer be sent; nil when it may.
    package func refusal(since closing: Int64, at now: Int64) -> AskFailure? {
        closedUntil != closing && closedUntil > now ? closed(for: closedUntil - now) : nil
    }

    /// Records that a request that was permitted when `closedUntil` was `closing` was answered. A pause since then
    /// stays: the network had taken the request before it asked for the pause.
    package mutating func succeeded(since closing: Int64) {
        guard closedUntil == closing else { return }
        failures = 0
        closedUntil = 0
        lastFailure = nil
    }

    /// Records that a request was answered, and that the network returns no more answers for so many milliseconds.
    package mutating func exhausted(for pause: Int64, at now: Int64) {
        lastFailure = AskFailure(.quota, "it gives no more answers for now")
        closedUntil = max(closedUntil + 1, now + pause)
    }

    /// Records that a request failed: the network is paused when it asks for that, or has failed too often.
    package mutating func failed(_ failure: AskFailure, at now: Int64) {
        failures += 1
        lastFailure = failure
        let fallback: Int64? = failure.kind == .quota ? NetworkRules.defaultRefusalMilliseconds : nil
        var pause = failure.retryAfterMilliseconds ?? fallback
        let more = failures - NetworkRules.maximumFailures
        if more >= 0 {
            let longer = NetworkRules.firstPauseMilliseconds << min(more, 10)
            pause = max(pause ?? 0, min(longer, NetworkRules.longestPauseMilliseconds))
        }
        if let pause { closedUntil = max(closedUntil + 1, now + pause) }
    }

    /// Until when nothing is asked, in milliseconds since 1970, and why; nil when it may be asked.
    func pause(at now: Int64, _ rules: NetworkRules) -> (until: Int64, reason: String)? {
        var standing = self
        standing.forgetImpossible(at: now, rules)
        if standing.closedUntil > now { return (standing.closedUntil, lastFailure?.reason ?? "it failed") }
        guard let refusal = standing.overBudget(at: now, rules) else { return nil }
        return (now + (refusal.retryAfterMilliseconds ?? 0), refusal.reason)
    }

    /// The number of requests today.
    func count(at now: Int64) -> Int64 { day == now / Self.dayMilliseconds ? dayCount : 0 }

    private func closed(for wait: Int64) -> AskFailure {
        let why = lastFailure.map { ": \($0.reason)" } ?? ""
        return AskFailure(
            lastFailure?.kind ?? .unavailable, "it is left alone for \((wait + 999) / 1_000) s\(why)",
            retryAfterMilliseconds: wait)
    }

    /// A time further ahead than any that is ever stored was written with a wrong clock, and is dropped.
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
