import Bytes

/// The keys of an issuer, and when to fetch them again. A value: the caller fetches, and has the clock, whose seconds
/// may count from anywhere.
package struct KeySetCache: Sendable {
    /// Seconds for which a set is used, whatever its sender asks for.
    static let lives: ClosedRange<Int64> = 300...3600
    /// Seconds between two fetches, so that invented names of keys don't make one each.
    static let pause: Int64 = 30

    /// The newest ones; also when they are old, and newer ones could not be fetched.
    package private(set) var keys: KeySet?
    private var lastFetch: Int64?
    private var fetchedAt: Int64 = 0
    private var life = lives.lowerBound

    package init() {}

    /// Whether to fetch the keys before this token is checked. If so, the fetch counts as begun. A token of another
    /// issuer is not worth one; one with another algorithm was refused when it was taken apart.
    package mutating func shouldFetch(for token: ReceivedToken, of issuers: [String], at now: Int64) -> Bool {
        guard (try? token.claims.checkIssuer(issuers)) != nil else { return false }
        if let lastFetch, (0..<Self.pause).contains(now - lastFetch) { return false }
        // A clock that was set back makes keys old, too.
        let isFresh = (0..<life).contains(now - fetchedAt)
        guard let keys, isFresh, (try? keys.keys(for: token)) != nil else {
            lastFetch = now
            return true
        }
        return false
    }

    /// Takes what was fetched. When a fetch fails nothing is called: the old keys stay.
    /// - Parameter cacheControl: the answer's header of that name.
    package mutating func take(_ fetched: KeySet, cacheControl: String?, at now: Int64) {
        keys = fetched
        fetchedAt = now
        life = Self.life(cacheControl)
    }

    /// `max-age` (RFC 9111, section 5.2.2.1) within bounds.
    static func life(_ cacheControl: String?) -> Int64 {
        let directives = (cacheControl ?? "").lowercased().split(atScalars: { $0 == "," || $0 == " " })
        let seconds = directives.lazy.compactMap { $0.after("max-age=").flatMap { Int64($0) } }.first
        return min(max(seconds ?? 0, lives.lowerBound), lives.upperBound)
    }
}
