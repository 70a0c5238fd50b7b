import Glibc

/// The time of day, passed to code that needs it, so that a test can set it.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Int64

    /// A clock that reads `milliseconds`: since 1970-01-01T00:00:00Z.
    package init(_ milliseconds: @escaping @Sendable () -> Int64) { read = milliseconds }

    /// The system's clock.
    package static let system = WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var unixMilliseconds: Int64 { read() }
}
