import Testing

@testable import LiveNetworks

@Suite("P14 Rates, budgets and breakers of live networks")
struct NetworkStandingTests {
    private static let midnight: Int64 = 20_000 * 86_400_000
    private let rules = NetworkRules(perSecond: 2, burst: 3, perDay: 10)

    private func kind(_ permit: NetworkStanding.Permit) -> AskFailure.Kind? {
        guard case .refused(let failure) = permit else { return nil }
        return failure.kind
    }

    @Test("a few requests go at once, the others one after the other at the rate")
    func rate() {
        var standing = NetworkStanding()
        let waits = (1...6).map { _ in standing.permit(at: Self.midnight, rules) }
        #expect(waits == [0, 0, 0, 500, 1_000, 1_500].map { .go(afterMilliseconds: $0) })
        #expect(standing.permit(at: Self.midnight + 60_000, rules) == .go(afterMilliseconds: 0))
    }

    @Test("a request that would wait too long is refused, and not counted")
    func longWait() {
        var standing = NetworkStanding()
        let slow = NetworkRules(perSecond: 0.05, burst: 1, perDay: 100)
        #expect(standing.permit(at: Self.midnight, slow) == .go(afterMilliseconds: 0))
        let before = standing
        guard case .refused(let failure) = standing.permit(at: Self.midnight, slow) else {
            Issue.record("it went")
            return
        }
        #expect(failure.kind == .quota)
        #expect(failure.retryAfterMilliseconds == 20_000)
        #expect(standing == before)
    }

    @Test("a day has so many requests; the next day begins anew at midnight UTC")
    func budget() {
        var standing = NetworkStanding()
        for number in 0..<10 {
            #expect(kind(standing.permit(at: Self.midnight + Int64(number) * 1_000, rules)) == nil)
        }
        let evening = Self.midnight + 86_400_000 - 5_000
        guard case .refused(let failure) = standing.permit(at: evening, rules) else {
            Issue.record("it went")
            return
        }
        #expect(failure == AskFailure(.quota, "today's 10 requests are used up", retryAfterMilliseconds: 5_000))
        #expect(standing.permit(at: evening + 5_000, rules) == .go(afterMilliseconds: 0))
    }

    @Test(
        "E5 a clock that was ahead for a while keeps nothing back once it is right",
        arguments: [3_600_000, 86_400_000 * 400])
    func clockAhead(by milliseconds: Int64) {
        let rules = NetworkRules(perSecond: 2, burst: 3, perDay: 1_000)
        var standing = NetworkStanding()
        for _ in 0..<5 { _ = standing.permit(at: Self.midnight + milliseconds, rules) }
        #expect(standing.permit(at: Self.midnight, rules) == .go(afterMilliseconds: 0))
        #expect(standing.permit(at: Self.midnight + 10_000, rules) == .go(afterMilliseconds: 0))
        // The rate holds again.
        let waits = (1...4).map { _ in standing.permit(at: Self.midnight + 60_000, rules) }
        #expect(waits == [0, 0, 0, 500].map { .go(afterMilliseconds: $0) })
        let ahead = Self.midnight + 86_400_000 * 30
        standing.failed(AskFailure(.quota, "slow down", retryAfterMilliseconds: 60_000), at: ahead)
        #expect(kind(standing.permit(at: ahead, rules)) == .quota)
        #expect(kind(standing.permit(at: Self.midnight + 120_000, rules)) == nil)
    }

    @Test("who asks to be left alone is, for as long as it says")
    func retryAfter() {
        var standing = NetworkStanding()
        standing.failed(AskFailure(.quota, "slow down", retryAfterMilliseconds: 7_000), at: Self.midnight)
        guard case .refused(let failure) = standing.permit(at: Self.midnight + 1_000, rules) else {
            Issue.record("it went")
            return
        }
        #expect(failure.kind == .quota)
        #expect(failure.retryAfterMilliseconds == 6_000)
        #expect(failure.reason == "it is left alone for 6 s: slow down")
        #expect(standing.permit(at: Self.midnight + 7_000, rules) == .go(afterMilliseconds: 0))
    }

    @Test("a success opens nothing that was closed after its request had been permitted")
    func lateSuccess() {
        var (standing, now) = (NetworkStanding(), Self.midnight)
        #expect(kind(standing.permit(at: now, rules)) == nil)
        let early = standing.closedUntil
        standing.failed(AskFailure(.quota, "slow down", retryAfterMilliseconds: 60_000), at: now)
        standing.succeeded(since: early)
        #expect(kind(standing.permit(at: now + 59_000, rules)) == .quota)
        #expect(standing.refusal(since: early, at: now)?.kind == .quota)
        now += 60_000
        #expect(standing.permit(at: now, rules) == .go(afterMilliseconds: 0))
        #expect(standing.refusal(since: standing.closedUntil, at: now) == nil)
        // A second wish that ends no later than the first one is a closing as well.
        let before = standing.closedUntil
        standing.failed(AskFailure(.quota, "slow down", retryAfterMilliseconds: 0), at: now)
        standing.succeeded(since: before)
        #expect(standing.failures == 2)
        standing.succeeded(since: standing.closedUntil)
        #expect(standing == NetworkStanding(slotMicroseconds: standing.slotMicroseconds, day: 20_000, dayCount: 2))
    }

    @Test("after five failures one request tries every now and then, ever more seldom; a success opens the way")
    func breaker() {
        var (standing, now) = (NetworkStanding(), Self.midnight)
        for _ in 1...5 {
            #expect(kind(standing.permit(at: now, rules)) == nil)
            standing.failed(AskFailure(.unavailable, "down"), at: now)
            now += 1_000
        }
        var pauses: [Int64] = []
        for _ in 1...7 {
            #expect(kind(standing.permit(at: now, rules)) == .unavailable)
            pauses.append((standing.closedUntil - now + 999) / 1_000)
            now = standing.closedUntil
            let many = NetworkRules(perSecond: 1_000, burst: 10, perDay: 1_000)
            #expect(standing.permit(at: now, many) == .go(afterMilliseconds: 0))
            #expect(kind(standing.permit(at: now, many)) == .unavailable, "only one tries")
            standing.failed(AskFailure(.unavailable, "down"), at: now)
        }
        #expect(pauses == [29, 60, 120, 240, 480, 600, 600])
        standing.succeeded(since: standing.closedUntil)
        #expect(standing.permit(at: now + 86_400_000, rules) == .go(afterMilliseconds: 0))
        #expect(standing.failures == 0)
    }

    /// How many of a day's requests each account gets, one after the other, if it wants all.
    private func taken(_ accounts: [String], of rules: NetworkRules) -> [Int] {
        var standing = NetworkStanding()
        return accounts.map { account in
            var share = NetworkShare()
            share.hasOthers = accounts.count > 1
            let asker = NetworkAsker(account: account)
            return (0..<2_000).count { number in
                let time = Self.midnight + Int64(number) * 10_000
                return kind(standing.permit(at: time, rules, asker, &share)) == nil
            }
        }
    }

    @Test("an account can't use up the day for all: a quarter is kept for those that have had less than a tenth")
    func shares() {
        let rules = NetworkRules(perSecond: 1_000, burst: 100, perDay: 1_000)
        #expect(taken(["ann", "bo", "cy", "dan"], of: rules) == [750, 100, 100, 50])
        #expect(taken(["ann"], of: rules) == [1_000])
        #expect(taken(["", "bo"], of: rules) == [1_000, 0])
    }

    @Test("what is kept is said as QUOTA, in a sentence, until midnight; the next day begins anew")
    func keptSaid() {
        var (standing, share) = (NetworkStanding(day: 20_000, dayCount: 750), NetworkShare())
        (share.day, share.dayCount, share.hasOthers) = (20_000, 700, true)
        let rules = NetworkRules(perSecond: 1_000, burst: 100, perDay: 1_000)
        let asker = NetworkAsker(account: "ann")
        let expected = AskFailure(
            .quota,
            "this account has had 700 of today's 1000 requests; the 250 that are left are kept for other accounts until"
                + " midnight UTC",
            retryAfterMilliseconds: 86_400_000)
        #expect(standing.permit(at: Self.midnight, rules, asker, &share) == .refused(expected))
        #expect(kind(standing.permit(at: Self.midnight + 86_400_000, rules, asker, &share)) == nil)
        #expect(share.dayCount == 1)
    }

    @Test("a search has so many requests, whoever else asks; a refused one is not counted")
    func searchBudget() {
        var (standing, share) = (NetworkStanding(), NetworkShare())
        let rules = NetworkRules(perSecond: 1_000, burst: 100, perDay: 1_000, perSearch: 2)
        let asker = NetworkAsker(account: "ann", search: 1)
        let kinds = (0..<4).map { _ in kind(standing.permit(at: Self.midnight, rules, asker, &share)) }
        #expect(kinds == [nil, nil, .spent, .spent])
        #expect(share.searchCount == 2 && share.dayCount == 2 && standing.dayCount == 2)
    }
}
