import EventLoops
import TestTools
import Testing

@Suite("Durations that are counted")
struct DurationCountsTests {
    private func counts(_ nanoseconds: [UInt64]) -> DurationCounts {
        let row = CounterRow(count: CounterRow.durationCounters)
        for duration in nanoseconds { row.countDuration(duration) }
        return row.durations()
    }

    @Test(
        "go into the bucket whose bounds they lie between",
        arguments: [
            (UInt64(0), 0), (1023, 0), (1024, 1), (1279, 1), (1280, 2), (1792, 4), (2047, 4), (2048, 5),
            (68_719_476_735, 104), (68_719_476_736, 105), (.max, 105),
        ])
    func buckets(nanoseconds: UInt64, bucket: Int) {
        #expect(DurationBuckets.index(nanoseconds) == bucket)
        #expect(nanoseconds < DurationBuckets.upperBound(bucket) || bucket == DurationBuckets.count - 1)
        #expect(nanoseconds >= DurationBuckets.lowerBound(bucket))
    }

    @Test("buckets follow each other without a gap, each at most a quarter wider than it begins")
    func bounds() {
        for index in 1..<DurationBuckets.count - 1 {
            let (lower, upper) = (DurationBuckets.lowerBound(index), DurationBuckets.upperBound(index))
            #expect(DurationBuckets.index(lower) == index)
            #expect(DurationBuckets.index(upper - 1) == index)
            #expect(upper - lower <= lower / 4)
        }
    }

    @Test("give quantiles that are off by a quarter at most", arguments: [0.01, 0.5, 0.9, 0.99, 0.999, 1])
    func quantiles(fraction: Double) {
        var generator = SeededGenerator(seed: 5)
        // Spread over five powers of ten, as latencies are.
        let durations = (0..<20_000).map { _ in UInt64(1_000) << UInt64.random(in: 0..<17, using: &generator) }
            .map { $0 + UInt64.random(in: 0..<$0, using: &generator) }.sorted()
        let exact = Double(durations[max(0, Int((fraction * Double(durations.count)).rounded(.up)) - 1)])
        let told = counts(durations).quantile(fraction)
        #expect(told >= exact / 1.25 && told <= exact * 1.25)
    }

    @Test("give nothing for nothing, and one that is too long as too long")
    func edges() {
        #expect(counts([]).quantile(0.5) == 0)
        #expect(counts([]).longest == 0)
        #expect(counts([.max]).quantile(0.5) > 68e9)
        #expect(counts([.max]).count == 1)
    }

    @Test("those of two rows are added, and those of before taken away")
    func arithmetic() {
        var sum = counts([1_000, 5_000])
        let first = sum
        sum += counts([5_000, 9_000])
        #expect(sum.count == 4)
        #expect(sum.nanoseconds == 20_000)
        #expect(sum - first == counts([5_000, 9_000]))
    }
}
