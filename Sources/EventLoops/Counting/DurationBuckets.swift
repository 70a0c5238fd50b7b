/// Sorts durations into buckets, four for each doubling from 1.024 µs (2^10 ns) to 69 s (2^36 ns).
///
///     bucket      0       1        2        3        4        5     …     104      105
///     up to     1.02    1.28     1.54     1.79     2.05     2.56    …    68.7 s    all
///
/// The upper bound of a bucket is at most a quarter above its lower one, so values read from buckets are that exact.
package enum DurationBuckets {
    /// Buckets per doubling.
    package static let perDoubling = 4
    package static let count = 2 + perDoubling * (lastExponent - firstExponent)

    private static let firstExponent = 10
    private static let lastExponent = 36

    /// The bucket of a duration: the first whose upper bound is above it.
    package static func index(_ nanoseconds: UInt64) -> Int {
        guard nanoseconds >= 1 << firstExponent else { return 0 }
        let exponent = UInt64.bitWidth - 1 - nanoseconds.leadingZeroBitCount
        guard exponent < lastExponent else { return count - 1 }
        let quarter = Int(truncatingIfNeeded: nanoseconds >> UInt64(exponent - 2)) & (perDoubling - 1)
        return 1 + (exponent - firstExponent) * perDoubling + quarter
    }

    /// The exclusive upper bound of a bucket, in nanoseconds; the largest number for the last, which has no bound.
    package static func upperBound(_ index: Int) -> UInt64 {
        guard index > 0 else { return 1 << firstExponent }
        guard index < count - 1 else { return .max }
        let (doublings, quarter) = (index - 1).quotientAndRemainder(dividingBy: perDoubling)
        return UInt64(perDoubling + quarter + 1) << UInt64(firstExponent + doublings - 2)
    }

    /// The inclusive lower bound of a bucket, in nanoseconds.
    package static func lowerBound(_ index: Int) -> UInt64 { index == 0 ? 0 : upperBound(index - 1) }
}
