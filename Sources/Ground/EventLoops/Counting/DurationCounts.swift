/// Durations counted in `DurationBuckets`.
package struct DurationCounts: Sendable, Equatable {
    /// How many durations are in each bucket.
    package var buckets = [UInt64](repeating: 0, count: DurationBuckets.count)
    /// Their sum.
    package var nanoseconds: UInt64 = 0

    package init() {}

    /// How many there are.
    package var count: UInt64 { buckets.reduce(0, &+) }

    /// Adds the counts of `other`.
    package static func += (counts: inout DurationCounts, other: DurationCounts) {
        for index in counts.buckets.indices { counts.buckets[index] &+= other.buckets[index] }
        counts.nanoseconds &+= other.nanoseconds
    }

    /// The durations that came after `earlier`, which has to be from the same counters.
    package static func - (later: DurationCounts, earlier: DurationCounts) -> DurationCounts {
        var counts = later
        for index in counts.buckets.indices { counts.buckets[index] &-= earlier.buckets[index] }
        counts.nanoseconds &-= earlier.nanoseconds
        return counts
    }

    /// The quantile `fraction` (0 to 1) of the durations, in nanoseconds: within a bucket they are assumed to be evenly
    /// distributed. 0 when there are none.
    package func quantile(_ fraction: Double) -> Double {
        let rank = fraction * Double(count)
        var below = 0.0
        for (index, count) in buckets.enumerated() where count > 0 {
            if below + Double(count) >= rank {
                let (lower, upper) = Self.bounds(index)
                return lower + (upper - lower) * max(0, rank - below) / Double(count)
            }
            below += Double(count)
        }
        return 0
    }

    /// An upper bound of all of them, in nanoseconds.
    package var longest: Double { quantile(1) }

    /// The last bucket is assumed to be as wide as the one before.
    private static func bounds(_ index: Int) -> (lower: Double, upper: Double) {
        let lower = Double(DurationBuckets.lowerBound(index))
        return (lower, index == DurationBuckets.count - 1 ? lower * 1.25 : Double(DurationBuckets.upperBound(index)))
    }
}

extension CounterRow {
    /// The counters for durations that begin at `start`: one for each bucket, and their sum.
    package static let durationCounters = DurationBuckets.count + 1

    /// Counts a duration from the only thread that ever adds to this row.
    package func countDurationAlone(_ nanoseconds: UInt64, from start: Int = 0) {
        addAlone(1, at: start + DurationBuckets.index(nanoseconds))
        addAlone(nanoseconds, at: start + DurationBuckets.count)
    }

    /// Counts a duration, safe with other threads that count at the same time.
    package func countDuration(_ nanoseconds: UInt64, from start: Int = 0) {
        add(1, at: start + DurationBuckets.index(nanoseconds))
        add(nanoseconds, at: start + DurationBuckets.count)
    }

    /// The durations in the counters that begin at `start`.
    package func durations(from start: Int = 0) -> DurationCounts {
        var counts = DurationCounts()
        for index in counts.buckets.indices { counts.buckets[index] = self[start + index] }
        counts.nanoseconds = self[start + DurationBuckets.count]
        return counts
    }
}
