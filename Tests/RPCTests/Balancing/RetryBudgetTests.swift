import EventLoops
import RPC
import Testing

@Suite("P44 The budget of retries")
struct RetryBudgetTests {
    private static func at(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: 5_000_000_000_000 + UInt64(seconds * 1e9))
    }

    private static func taken(_ budget: inout RetryBudget, at seconds: Double) -> Int {
        var count = 0
        while count < 100_000, budget.takeRetry(at: at(seconds)) { count += 1 }
        return count
    }

    @Test("holds twenty without any call, so that a death's calls in flight fit in it")
    func reserve() {
        var budget = RetryBudget()
        #expect(Self.taken(&budget, at: 0) == 20)
        #expect(Self.taken(&budget, at: 9) == 0)
    }

    @Test("holds a fifth of the calls of the last ten seconds beyond the twenty")
    func share() {
        var budget = RetryBudget()
        for _ in 0..<500 { budget.callStarted(at: Self.at(0)) }
        for _ in 0..<500 { budget.callStarted(at: Self.at(5)) }
        #expect(Self.taken(&budget, at: 5) == 220)
        // The first calls have left the window, the retries have not.
        #expect(Self.taken(&budget, at: 11) == 0)
        #expect(Self.taken(&budget, at: 15) == 20)
    }

    @Test("is twenty again ten seconds after it was spent, however long nobody called")
    func again() {
        var budget = RetryBudget()
        for second in [0.0, 10, 20, 3600, 1e6] { #expect(Self.taken(&budget, at: second) == 20) }
    }

    @Test("is not shaken by a clock that stands still or goes back")
    func still() {
        var budget = RetryBudget()
        budget.callStarted(at: Self.at(100))
        #expect(Self.taken(&budget, at: 50) == 20)
        #expect(Self.taken(&budget, at: 0) == 0)
    }
}
