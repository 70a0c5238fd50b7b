import TestTools
import Testing

@testable import LoadTest

@Suite("P40 Latency histogram")
struct LatencyHistogramTests {
    /// Times as they come: from nanoseconds to minutes, most of them short.
    private func times(_ count: Int, seed: UInt64) -> [UInt64] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            UInt64.random(in: 0...UInt64(1) << UInt64.random(in: 0...40, using: &random), using: &random)
        }
    }

    private func histogram(_ times: [UInt64], bits: Int = LatencyHistogram.threeDigits) -> LatencyHistogram {
        times.reduce(into: LatencyHistogram(bits: bits)) { $0.record($1) }
    }

    @Test(
        "gives every percentile of random times to three digits, never too low",
        arguments: 1...20 as ClosedRange<UInt64>)
    func percentiles(seed: UInt64) {
        let sorted = times(3000, seed: seed).sorted()
        let histogram = histogram(sorted)
        for share in [0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1] {
            let rank = max(1, Int((share * 3000).rounded(.up)))
            let exact = sorted[rank - 1]
            let given = histogram.percentile(share)
            #expect(given >= exact && Double(given) <= Double(exact) * (1 + 1 / 1024))
        }
        #expect(histogram.count == 3000 && histogram.smallest == sorted[0] && histogram.largest == sorted[2999])
        #expect(abs(histogram.mean / (sorted.reduce(0.0) { $0 + Double($1) } / 3000) - 1) < 1e-9)
    }

    @Test("keeps the same of the values around each power of two", arguments: [2, 6, 11])
    func edges(bits: Int) {
        for exponent in 0..<42 as Range<UInt64> {
            for value in [UInt64(1) << exponent - 1, UInt64(1) << exponent, UInt64(1) << exponent + 1] {
                var histogram = LatencyHistogram(bits: bits)
                histogram.record(value)
                histogram.record(LatencyHistogram.limit)
                let given = histogram.percentile(0.5)
                #expect(given >= value && given - value <= value >> UInt64(bits - 1))
            }
        }
    }

    @Test("counts up to a limit what is below it, and all up to the largest")
    func countsUpTo() {
        let sorted = times(5000, seed: 7).sorted()
        let histogram = histogram(sorted)
        let limits: [UInt64] = [0, 100, 5_000, 1_000_000, 70_000_000_000, sorted[4999]]
        let counts = histogram.counts(upTo: limits)
        for (limit, count) in zip(limits, counts) {
            let exact = sorted.count { $0 <= limit }
            let lower = sorted.count { $0 <= limit - limit / 1024 }
            #expect((UInt64(lower)...UInt64(exact)).contains(count))
        }
        #expect(counts.last == 5000)
    }

    @Test("an empty one has nothing but zeros; what is endless counts as the longest time there is")
    func ends() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.99) == 0 && histogram.mean == 0 && histogram.counts(upTo: [1]) == [0])
        histogram.record(.max)
        #expect(histogram.percentile(0) == LatencyHistogram.limit)
    }
}
