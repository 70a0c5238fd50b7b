import EventLoops
import Testing

@Suite("Monotonic time", .timeLimit(.minutes(3)))
struct MonotonicTimeTests {
    @Test("never goes back")
    func monotonic() {
        var last = MonotonicTime.now
        for _ in 0..<10_000 {
            let now = MonotonicTime.now
            #expect(now >= last)
            last = now
        }
    }

    @Test("does not overflow: the last moment is the end")
    func saturates() {
        let late = MonotonicTime(nanoseconds: .max - 5)
        #expect(late + .seconds(1) == .distantFuture)
        #expect(late + .nanoseconds(5) == .distantFuture)
        #expect(late + .seconds(-1) == late)
        #expect(MonotonicTime.now + .seconds(Int64.max) == .distantFuture)
        #expect(MonotonicTime.distantFuture.since(MonotonicTime(nanoseconds: 0)) == .nanoseconds(Int64.max))
    }

    @Test("of an earlier moment is no time away")
    func since() {
        let early = MonotonicTime(nanoseconds: 10)
        let late = MonotonicTime(nanoseconds: 35)
        #expect(late.since(early) == .nanoseconds(25))
        #expect(early.since(late) == .zero)
    }

    @Test("durations are clamped to what 64 bits hold")
    func clamped() {
        #expect(Duration.seconds(-1).clampedNanoseconds == 0)
        #expect(Duration.milliseconds(3).clampedNanoseconds == 3_000_000)
        #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
        #expect(Duration.nanoseconds(-1).clampedNanoseconds == 0)
        #expect(Duration.microseconds(1500).milliseconds == 1.5)
    }
}
