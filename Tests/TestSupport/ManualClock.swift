package import Daemon
import Synchronization

/// A time of day that a test sets.
package final class ManualClock: Sendable {
    private let milliseconds: Mutex<Int64>

    /// Starts at `milliseconds` since 1970-01-01T00:00:00Z.
    package init(_ milliseconds: Int64 = 1_700_000_000_000) { self.milliseconds = Mutex(milliseconds) }

    /// What the code under test gets.
    package var clock: WallClock { WallClock { self.now } }

    package var now: Int64 { milliseconds.withLock { $0 } }

    /// Moves the clock, also backwards.
    package func move(by duration: Int64) { milliseconds.withLock { $0 += duration } }
}
