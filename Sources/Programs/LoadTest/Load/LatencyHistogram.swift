import EventLoops

/// How often each time was measured, to three significant digits, in memory that does not grow with the count.
///
/// Log-linear buckets after Gil Tene's HDR histogram: below 2^bits nanoseconds each value has its own bucket; from
/// there on each power of two is divided into 2^(bits-1) buckets, so that a bucket's width is at most its values
/// divided by 2^(bits-1).
struct LatencyHistogram: Sendable, Equatable {
    /// One part in 1,024.
    static let threeDigits = 11
    /// One part in 32, for plots.
    static let coarse = 6

    private let bits: Int
    private var buckets: [UInt64] = []
    private(set) var count: UInt64 = 0
    /// Nanoseconds; 0 as long as there are none.
    private(set) var smallest: UInt64 = 0
    private(set) var largest: UInt64 = 0
    private var sum = 0.0

    /// Larger values, of more than 73 minutes, are counted as this one.
    static let limit: UInt64 = 1 << 42 - 1

    init(bits: Int = threeDigits) {
        precondition((2...16).contains(bits), "a histogram keeps 2 to 16 bits of a value")
        self.bits = bits
    }

    /// Nanoseconds.
    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// Counts a time in nanoseconds.
    mutating func record(_ nanoseconds: UInt64) {
        let value = min(nanoseconds, Self.limit)
        let index = index(of: value)
        if index >= buckets.count { buckets += [UInt64](repeating: 0, count: index + 1 - buckets.count) }
        buckets[index] += 1
        smallest = count == 0 ? value : min(smallest, value)
        largest = max(largest, value)
        sum += Double(value)
        count += 1
    }

    /// The time within which a share of all (0...1) is: that of the value at rank ⌈share × count⌉, at most a bucket's
    /// width too high, never above the largest. 0 when there are none.
    func percentile(_ share: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        let rank = min(count, max(1, UInt64((share * Double(count)).rounded(.up))))
        var seen: UInt64 = 0
        for (index, bucket) in buckets.enumerated() {
            seen += bucket
            if seen >= rank { return min(largest, highest(of: index)) }
        }
        return largest
    }

    /// How many are at most as long as each of these times, which ascend; exact but for a bucket's width.
    func counts(upTo limits: [UInt64]) -> [UInt64] {
        var seen: UInt64 = 0
        var next = 0
        return limits.map { limit in
            while next < buckets.count, highest(of: next) <= limit || largest <= limit {
                seen += buckets[next]
                next += 1
            }
            return seen
        }
    }

    private func index(of value: UInt64) -> Int {
        let shift = max(0, UInt64.bitWidth - value.leadingZeroBitCount - bits)
        return shift << (bits - 1) + Int(value >> UInt64(shift))
    }

    /// The highest value that a bucket counts.
    private func highest(of index: Int) -> UInt64 {
        let half = 1 << (bits - 1)
        guard index >= 2 * half else { return UInt64(index) }
        let shift = index / half - 1
        return UInt64(index - shift * half + 1) << UInt64(shift) - 1
    }
}

/// Latency over time: the window in equal slices, each with a coarse histogram of the calls that were due in it.
struct TimeSlices: Sendable {
    private let start: MonotonicTime
    /// How long a slice is.
    let length: Duration
    private(set) var histograms: [LatencyHistogram] = []

    private static let maximum = 120
    private static let shortest: Duration = .milliseconds(50)

    init() {
        start = MonotonicTime(nanoseconds: 0)
        length = Self.shortest
    }

    init(_ window: LoadWindow) {
        start = window.measured
        length = max(Self.shortest, window.length / Self.maximum)
    }

    mutating func add(_ nanoseconds: UInt64, due: MonotonicTime) {
        let index = Int(clamping: due.nanoseconds(since: start) / max(1, length.clampedNanoseconds))
        guard index <= Self.maximum else { return }
        while histograms.count <= index { histograms.append(LatencyHistogram(bits: LatencyHistogram.coarse)) }
        histograms[index].record(nanoseconds)
    }
}
