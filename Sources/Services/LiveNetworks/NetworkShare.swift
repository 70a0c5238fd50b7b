/// What one account, and one search of it, have had of a network's requests. Stored as rows, so that all replicas share
/// them and a restart forgets none.
package struct NetworkShare: Equatable, Sendable {
    /// The day since 1970, and the account's requests on it.
    package var day: Int64 = 0
    package var dayCount: Int64 = 0
    /// Whether other accounts ask this network too.
    package var hasOthers = false
    /// The requests of the search, over all of its passes.
    package var searchCount: Int64 = 0

    package init() {}
}

extension NetworkRules {
    /// How long a search's requests count against its budget: then the same search may start over.
    package var searchMilliseconds: Int64 { min(expiryMilliseconds, 86_400_000) }
    /// How many of a day's requests are kept for accounts that have had less than their own.
    var keptPerDay: Int64 { Int64(perDay) / 4 }
    /// What an account can have of them in any case, as long as there are some.
    var ownPerDay: Int64 { Int64(perDay) / 10 }
}

extension NetworkStanding {
    /// Requests permission for an account's search. A permitted request is counted, also against its share.
    package mutating func permit(
        at now: Int64, _ rules: NetworkRules, _ asker: NetworkAsker, _ share: inout NetworkShare
    ) -> Permit {
        let today = now / Self.dayMilliseconds
        if share.day != today { (share.day, share.dayCount) = (today, 0) }
        if asker.search != nil, share.searchCount >= Int64(rules.perSearch) {
            return .refused(AskFailure(.spent, "this search has had its \(rules.perSearch) requests"))
        }
        if let refusal = overShare(at: now, rules, asker, share) { return .refused(refusal) }
        let permit = permit(at: now, rules)
        guard case .go = permit else { return permit }
        if !asker.account.isEmpty { share.dayCount += 1 }
        if asker.search != nil { share.searchCount += 1 }
        return permit
    }

    private func overShare(
        at now: Int64, _ rules: NetworkRules, _ asker: NetworkAsker, _ share: NetworkShare
    ) -> AskFailure? {
        let left = Int64(rules.perDay) - count(at: now)
        guard !asker.account.isEmpty, share.hasOthers, share.dayCount >= rules.ownPerDay, left > 0,
            left <= rules.keptPerDay
        else { return nil }
        return AskFailure(
            .quota,
            "this account has had \(share.dayCount) of today's \(rules.perDay) requests; the \(left) that are left are"
                + " kept for other accounts until midnight UTC",
            retryAfterMilliseconds: (share.day + 1) * Self.dayMilliseconds - now)
    }
}
