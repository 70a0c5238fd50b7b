import TestTools
import Testing

@testable import RPC

@Suite("The limit of calls that run at once", .timeLimit(.minutes(3)))
struct ConcurrencyLimitTests {
    /// A method that can do `knee` calls at once, each in 5 ms: its rate at a limit, when calls always wait.
    private struct Method {
        let knee: Int
        var noise = 0.0
        var random = SeededGenerator(seed: 7)

        mutating func rate(_ limit: Int) -> Double {
            Double(min(limit, knee)) / 0.005 * Double.random(in: 1 - noise...1 + noise, using: &random)
        }
    }

    private func settled(_ method: Method, from initial: Int = ConcurrencyLimit.initial, windows: Int) -> [Int] {
        var (method, limit) = (method, ConcurrencyLimit(initial: initial))
        return (0..<windows).map { _ in
            limit.windowEnded(rate: method.rate(limit.limit), isFull: true)
            return limit.limit
        }
    }

    @Test(
        "finds in a few windows how many keep the server busy, from above and from below", arguments: [1, 4, 30, 500])
    func findsTheKnee(knee: Int) {
        let last = settled(Method(knee: knee), windows: 12).last ?? 0
        #expect(last >= knee && last <= knee * 5 / 2 + 1, "\(last)")
    }

    @Test("stays near it while calls keep waiting, also when rates scatter")
    func stays() {
        let limits = settled(Method(knee: 4, noise: 0.1), windows: 2000).dropFirst(20)
        let enough = limits.filter { $0 >= 4 }.count
        #expect(Double(enough) / Double(limits.count) > 0.9)
        #expect(Double(limits.reduce(0, +)) / Double(limits.count) < 10)
    }

    @Test("follows a server that got more to work with")
    func grows() {
        var limit = ConcurrencyLimit()
        for knee in [4, 100] {
            var (method, limits) = (Method(knee: knee), [Int]())
            for _ in 0..<200 {
                limit.windowEnded(rate: method.rate(limit.limit), isFull: true)
                limits.append(limit.limit)
            }
            let last = limits.suffix(100).sorted()
            #expect(last[50] >= knee && last[50] <= knee * 2, "\(last[50])")
        }
    }

    @Test("is doubled when calls wait and none ends")
    func nothingEnds() {
        var limit = ConcurrencyLimit(initial: 3)
        limit.nothingEnded()
        #expect(limit.limit == 6)
        for _ in 0..<100 { limit.nothingEnded() }
        #expect(limit.limit == 8192)
    }

    @Test("does not move while no call waits: the rate is the clients' then")
    func leavesAlone() {
        var limit = ConcurrencyLimit()
        for rate in [1.0, 1000, 10, 100_000] { limit.windowEnded(rate: rate, isFull: false) }
        #expect(limit.limit == ConcurrencyLimit.initial)
    }

    @Test("never falls below 1 or above 8192, whatever the rates", arguments: [UInt64(1), 2, 3])
    func bounded(seed: UInt64) {
        var (random, limit) = (SeededGenerator(seed: seed), ConcurrencyLimit())
        for _ in 0..<5000 {
            limit.windowEnded(rate: .random(in: 0...1e6, using: &random), isFull: .random(using: &random))
            #expect((1...8192).contains(limit.limit))
        }
    }
}
