import Synchronization

/// What a loop has done since it started. Written on its own thread only, read anywhere.
package final class LoopCounters: Sendable {
    private static let received = CounterRow.durationCounters
    private static let sent = received + 1

    private let row = CounterRow(count: CounterRow.durationCounters + 2)

    /// How long its turns took, without the waits between them: a ready descriptor may have to wait that long.
    package var turns: DurationCounts { row.durations() }
    /// Bytes that were read from sockets and counted.
    package var receivedBytes: UInt64 { row[Self.received] }
    /// Bytes that were written to sockets and counted.
    package var sentBytes: UInt64 { row[Self.sent] }

    func turned(_ nanoseconds: UInt64) { row.countDurationAlone(nanoseconds) }

    /// Counts received bytes. On the loop only.
    package func received(_ bytes: Int) { row.addAlone(UInt64(bytes), at: Self.received) }

    /// Counts sent bytes. On the loop only.
    package func sent(_ bytes: Int) { row.addAlone(UInt64(bytes), at: Self.sent) }
}

/// A row of counters that only grow.
///
/// `@unchecked Sendable`: the memory is allocated once, lives as long as this object, and holds only atomics.
@safe
package final class CounterRow: @unchecked Sendable {
    package let count: Int
    private let cells: UnsafeMutablePointer<Atomic<UInt64>>

    /// Two rows never share a cache line, nor two adjacent ones.
    private static let alignment = 128

    /// `count` counters, all 0.
    package init(count: Int) {
        self.count = count
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, count) * MemoryLayout<Atomic<UInt64>>.stride, alignment: Self.alignment)
        unsafe cells = bytes.bindMemory(to: Atomic<UInt64>.self, capacity: count)
        for index in 0..<count { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit { unsafe cells.deallocate() }

    /// Adds, safe with other threads that add at the same time.
    package func add(_ amount: UInt64, at index: Int) {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        unsafe cells[index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// Adds from the only thread that ever adds to this row: much cheaper.
    package func addAlone(_ amount: UInt64, at index: Int) {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        let sum = unsafe cells[index].load(ordering: .relaxed) &+ amount
        unsafe cells[index].store(sum, ordering: .relaxed)
    }

    package subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        return unsafe cells[index].load(ordering: .relaxed)
    }
}

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
