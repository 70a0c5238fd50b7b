import TestKeys
import Testing

@testable import OpenIDConnect

@Suite("When keys are fetched again")
struct KeySetCacheTests {
    private static let issuers = [Issuer.name]
    /// Old and new keys of an issuer, and a token of each.
    private let old: KeySet
    private let new: KeySet
    private let oldToken: ReceivedToken
    private let newToken: ReceivedToken
    private let foreignToken: ReceivedToken

    init() throws {
        let key = try SigningKey.ed25519.get()
        old = try Issuer.keySet([key.jwk(id: "old")])
        new = try Issuer.keySet([key.jwk(id: "new")])
        func token(_ id: String, _ changes: [String: String?] = [:]) throws -> ReceivedToken {
            try ReceivedToken(key.token(Issuer.payload(changes), header: #"{"alg":"EdDSA","kid":"\#(id)"}"#))
        }
        oldToken = try token("old")
        newToken = try token("new")
        foreignToken = try token("new", ["iss": #""https://elsewhere.example""#])
    }

    /// A cache that fetched the old keys at a time.
    private func filled(at now: Int64, _ cacheControl: String? = nil) -> KeySetCache {
        var cache = KeySetCache()
        cache.take(old, cacheControl: cacheControl, at: now)
        return cache
    }

    @Test("the first token fetches, and those that come meanwhile don't")
    func first() {
        var cache = KeySetCache()
        let first = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1000)
        let second = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1001)
        #expect(first && !second && cache.keys == nil)
        cache.take(old, cacheControl: nil, at: 1002)
        let third = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1003)
        #expect(!third && cache.keys == old)
    }

    @Test("a name that is not known fetches, but not more often than every 30 seconds")
    func unknown() {
        var cache = filled(at: 1000)
        let fetches = [1001, 1002, 1030, 1031, 1060, 1061].map {
            cache.shouldFetch(for: newToken, of: Self.issuers, at: $0)
        }
        #expect(fetches == [true, false, false, true, false, true])
        // Known names are not held up by that, and the keys stay.
        let known = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1062)
        #expect(!known && cache.keys == old)
    }

    @Test("keys that were replaced are found with the next fetch, whatever was asked before")
    func rotation() throws {
        var cache = filled(at: 1000)
        let random = cache.shouldFetch(for: newToken, of: Self.issuers, at: 1001)
        // The fetch brought the old keys once more; the issuer replaces them then.
        cache.take(old, cacheControl: nil, at: 1002)
        let early = cache.shouldFetch(for: newToken, of: Self.issuers, at: 1010)
        let later = cache.shouldFetch(for: newToken, of: Self.issuers, at: 1031)
        cache.take(new, cacheControl: nil, at: 1032)
        #expect(random && !early && later && cache.keys == new)
        try newToken.check(by: #require(cache.keys))
    }

    @Test("a token of another issuer fetches nothing")
    func foreign() {
        var cache = KeySetCache()
        let empty = cache.shouldFetch(for: foreignToken, of: Self.issuers, at: 1000)
        var full = filled(at: 1000)
        let later = full.shouldFetch(for: foreignToken, of: Self.issuers, at: 100_000)
        #expect(!empty && !later)
    }

    @Test(
        "keys are used for 5 to 60 minutes, as their sender says",
        arguments: [
            (nil, 300), ("", 300), ("max-age=0", 300), ("no-store", 300),
            ("public, max-age=1200, must-revalidate", 1200),
            ("MAX-AGE=600", 600), ("max-age=3600", 3600), ("max-age=99999999999", 3600), ("s-maxage=900", 300),
            ("max-age=-1", 300), ("max-age=99999999999999999999999", 300), ("max-age=\"900\"", 300),
        ] as [(String?, Int64)])
    func life(cacheControl: String?, life: Int64) {
        var cache = filled(at: 1000, cacheControl)
        let before = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1000 + life - 1)
        let after = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1000 + life)
        #expect(!before && after && KeySetCache.life(cacheControl) == life)
    }

    @Test("when a fetch fails the old keys are used, and it is tried again after 30 seconds")
    func failure() throws {
        var cache = filled(at: 1000)
        let fetches = [1300, 1301, 1329, 1330].map { cache.shouldFetch(for: oldToken, of: Self.issuers, at: $0) }
        #expect(fetches == [true, false, false, true])
        try oldToken.check(by: #require(cache.keys))
    }

    @Test("a clock that is set back costs one fetch, not all of them")
    func clock() {
        var cache = filled(at: 1_000_000)
        let back = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1000)
        cache.take(old, cacheControl: nil, at: 1001)
        let next = cache.shouldFetch(for: oldToken, of: Self.issuers, at: 1032)
        #expect(back && !next)
    }
}
