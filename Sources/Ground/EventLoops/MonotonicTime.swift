import Glibc

/// A point in time on the machine's monotonic clock, which is never set back.
package struct MonotonicTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since an arbitrary start.
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// A time that never comes.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    package static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    /// The time so many nanoseconds later, or the last one there is. Cheaper than adding a `Duration`.
    package func advanced(byNanoseconds count: UInt64) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return overflow ? .distantFuture : MonotonicTime(nanoseconds: sum)
    }

    /// Nanoseconds from `earlier` to this time; 0 when `earlier` is not earlier. Cheaper than a `Duration`.
    package func nanoseconds(since earlier: MonotonicTime) -> UInt64 {
        self > earlier ? nanoseconds - earlier.nanoseconds : 0
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time `duration` later, or the last one there is; the same time for a negative duration.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        time.advanced(byNanoseconds: duration.clampedNanoseconds)
    }

    /// How long it is from `earlier` to this time; zero when `earlier` is not earlier.
    package func since(_ earlier: MonotonicTime) -> Duration {
        guard self > earlier else { return .zero }
        return .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds))
    }
}

extension Duration {
    /// Whole nanoseconds, at least 0 and at most what 64 bits hold.
    package var clampedNanoseconds: UInt64 {
        UInt64(clamping: attoseconds / 1_000_000_000)
    }

    /// Milliseconds with fractions, for people.
    package var milliseconds: Double { Double(clampedNanoseconds) / 1_000_000 }
}
