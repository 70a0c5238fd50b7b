import Testing

@testable import Waymark

@Suite("P13 The rate of a long work")
struct RateTests {
    @Test("tells speed and time left once both mean something")
    func words() {
        let half = Rate(done: 50_000_000, total: 100_000_000, elapsed: .seconds(2))
        #expect(half.speed == ", 25.0 MB/s")
        #expect(half.timeLeft == ", 3 s left")
        #expect(half.bar.hasSuffix("50 %"))
        let young = Rate(done: 1, total: 100_000_000, elapsed: .milliseconds(100))
        #expect(young.speed.isEmpty && young.timeLeft.isEmpty)
        let done = Rate(done: 100, total: 100, elapsed: .seconds(2))
        #expect(done.speed.isEmpty && done.timeLeft.isEmpty)
        let nothing = Rate(done: 0, total: 0, elapsed: .seconds(2))
        #expect(nothing.bar.hasSuffix(" 0 %") && nothing.timeLeft.isEmpty)
    }
}
