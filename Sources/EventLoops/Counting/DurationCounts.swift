/// Durations as `DurationBuckets` has counted them.
package struct DurationCounts: Sendable, Equatable {
    /// How many durations are in each bucket.
    package var buckets = [UInt64](repeating: 0, count: DurationBuckets.count)
    /// Their sum.
    package var nanoseconds: UInt64 = 0

    package init() {}

    /// How many there are.
    package var count: UInt64 { buckets.reduce(0, &+) }

    /// Adds those of `other`.
    package static func += (counts: inout DurationCounts, other: DurationCounts) {
        for index in counts.buckets.indices { counts.buckets[index] &+= other.buckets[index] }
        counts.nanoseconds &+= other.nanoseconds
    }

    /// Those that came after `earlier`, which has to be from the same counters.
    package static func - (later: DurationCounts, earlier: DurationCounts) -> DurationCounts {
        var counts = later
        for index in counts.buckets.indices { counts.buckets[index] &-= earlier.buckets[index] }
        counts.nanoseconds &-= earlier.nanoseconds
        return counts
    }

    /// What the part `fraction` (0 to 1) of the durations is not above, in nanoseconds: within a bucket they are taken
    /// to lie evenly. 0 when there are none.
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

    /// What none of them is above, in nanoseconds.
    package var longest: Double { quantile(1) }

    /// The last bucket is taken to be as wide as the one before.
    private static func bounds(_ index: Int) -> (lower: Double, upper: Double) {
        let lower = Double(DurationBuckets.lowerBound(index))
        return (lower, index == DurationBuckets.count - 1 ? lower * 1.25 : Double(DurationBuckets.upperBound(index)))
    }
}

extension CounterRow {
    /// The counters for durations that begin at `start`: one for each bucket, and their sum.
    package static let durationCounters = DurationBuckets.count + 1

    /// Counts a duration from the only thread that ever adds to this row.
    package func noteAlone(_ nanoseconds: UInt64, from start: Int = 0) {
        addAlone(1, at: start + DurationBuckets.index(nanoseconds))
        addAlone(nanoseconds, at: start + DurationBuckets.count)
    }

    /// Counts a duration, whoever else does so at the same time.
    package func note(_ nanoseconds: UInt64, from start: Int = 0) {
        add(1, at: start + DurationBuckets.index(nanoseconds))
        add(nanoseconds, at: start + DurationBuckets.count)
    }

    /// What the counters for durations that begin at `start` say.
    package func durations(from start: Int = 0) -> DurationCounts {
        var counts = DurationCounts()
        for index in counts.buckets.indices { counts.buckets[index] = self[start + index] }
        counts.nanoseconds = self[start + DurationBuckets.count]
        return counts
    }
}
