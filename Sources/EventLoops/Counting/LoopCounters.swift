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

    func turned(_ nanoseconds: UInt64) { row.noteAlone(nanoseconds) }

    /// Counts received bytes. On the loop only.
    package func received(_ bytes: Int) { row.addAlone(UInt64(bytes), at: Self.received) }

    /// Counts sent bytes. On the loop only.
    package func sent(_ bytes: Int) { row.addAlone(UInt64(bytes), at: Self.sent) }
}
