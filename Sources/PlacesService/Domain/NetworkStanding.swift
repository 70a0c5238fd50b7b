/// How we stand with a live network: what we may still ask today, when the next request is due, and whether it is left
/// alone for a while. Kept as a row, so that a restart forgets none of it.
struct NetworkStanding: Equatable, Sendable {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// When the next request is due by the rate alone, in microseconds since 1970.
    var slotMicroseconds: Int64 = 0
    /// Days since 1970, and what was asked on that one.
    var day: Int64 = 0
    var dayCount: Int64 = 0
    /// Failures since the last success.
    var failures: Int64 = 0
    /// Until when nothing is asked, in milliseconds since 1970. Each closing makes it greater, so that who remembers it
    /// can tell whether there was one since.
    var closedUntil: Int64 = 0
    /// What the last failure was; nil after a success.
    var lastFailure: AskFailure?

    /// Whether a request may go, and after how many milliseconds.
    enum Permit: Equatable {
        case go(afterMilliseconds: Int64)
        case refused(AskFailure)
    }

    /// Asks for a request at a time in milliseconds since 1970; one that may go is counted.
    mutating func permit(at now: Int64, _ rules: NetworkRules) -> Permit {
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

    /// Why a request may go no more that was permitted when `closedUntil` was `closing`; nil when it may.
    func refusal(since closing: Int64, at now: Int64) -> AskFailure? {
        closedUntil != closing && closedUntil > now ? closed(for: closedUntil - now) : nil
    }

    /// Notes that a request was answered, which was permitted when `closedUntil` was `closing`. What was closed since
    /// then stays closed: the network had taken the request before it asked to be left alone.
    mutating func succeeded(since closing: Int64) {
        guard closedUntil == closing else { return }
        failures = 0
        closedUntil = 0
        lastFailure = nil
    }

    /// Notes that a request was answered, and that the answer is the last one for so many milliseconds.
    mutating func exhausted(for pause: Int64, at now: Int64) {
        lastFailure = AskFailure(.quota, "it gives no more answers for now")
        closedUntil = max(closedUntil + 1, now + pause)
    }

    mutating func failed(_ failure: AskFailure, at now: Int64) {
        failures += 1
        lastFailure = failure
        let usual: Int64? = failure.kind == .quota ? NetworkRules.usualRefusalMilliseconds : nil
        var pause = failure.retryAfterMilliseconds ?? usual
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

    /// What lies further ahead than anything that is kept can have been said by a clock that was wrong, and is no more.
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
