import Testing

@testable import LoadTest
@testable import Terminal

@Suite("P40 The search for the knee, as a value")
struct KneeSearchTests {
    /// Searches on a target that keeps the goal up to `knee`; tells what was found, and after how many probes.
    private func search(_ knee: Double, first: Double = 100, hiccup: Int? = nil) -> (rate: Double?, probes: Int) {
        var search = KneeSearch(first: first)
        var probes = 0
        while case .probe(let rate, _) = search.next {
            probes += 1
            search.record(keepsGoal: rate <= knee && probes != hiccup)
        }
        guard case .found(let rate) = search.next else { return (nil, probes) }
        return (rate, probes)
    }

    @Test(
        "finds every knee within 2 %, from below and from above", arguments: [0.3, 7.5, 99.9, 100, 101, 4_000, 77_777])
    func found(knee: Double) throws {
        for first in [1, 100, 20_000] as [Double] {
            let (rate, probes) = search(knee, first: first)
            let found = try #require(rate)
            #expect(found <= knee && found >= knee / KneeSearch.precision)
            #expect(probes <= 50)
        }
    }

    @Test("one miss that does not come again changes nothing")
    func hiccups() throws {
        for hiccup in 1...20 {
            let rate = try #require(search(640, hiccup: hiccup).rate)
            #expect(rate <= 640 && rate >= 640 / KneeSearch.precision)
        }
    }

    @Test("what does not hold for longer is not believed")
    func confirmation() throws {
        var search = KneeSearch(first: 100)
        while case .probe(let rate, let isConfirmation) = search.next {
            search.record(keepsGoal: rate <= (isConfirmation ? 300 : 330))
        }
        guard case .found(let rate?) = search.next else { throw CommandFailure("nothing found") }
        #expect(rate <= 300 && rate >= 280)
    }

    @Test("a target that never keeps the goal has no knee, one that always does has the highest rate")
    func ends() {
        #expect(search(0).rate == nil)
        let (rate, _) = search(.infinity)
        #expect((rate ?? 0) > 500_000)
    }
}
