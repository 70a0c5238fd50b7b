extension DurationMessage {
    /// Seconds that google.protobuf.Duration may have, either way: 10,000 years.
    private static let secondsAllowed = Int64(-315_576_000_000)...315_576_000_000
    private static let attosecondsPerNanosecond: Int64 = 1_000_000_000

    /// A span of time, cut to whole nanoseconds and to the 10,000 years that the message can say.
    package init(_ duration: Swift.Duration) {
        let (seconds, attoseconds) = duration.components
        if Self.secondsAllowed.contains(seconds) {
            self.init(seconds: seconds, nanos: Int32(attoseconds / Self.attosecondsPerNanosecond))
        } else {
            self.init(seconds: seconds < 0 ? Self.secondsAllowed.lowerBound : Self.secondsAllowed.upperBound)
        }
    }

    /// The span of time, or nil when the message is not a valid google.protobuf.Duration: out of range, or with
    /// seconds and nanoseconds of different signs.
    package var duration: Swift.Duration? {
        guard Self.secondsAllowed.contains(seconds), abs(Int64(nanos)) < 1_000_000_000 else { return nil }
        guard seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0) else { return nil }
        return Swift.Duration(
            secondsComponent: seconds, attosecondsComponent: Int64(nanos) * Self.attosecondsPerNanosecond)
    }
}

extension TimestampMessage {
    /// Seconds that google.protobuf.Timestamp may have: the years 1 to 9999.
    private static let secondsAllowed = Int64(-62_135_596_800)...253_402_300_799

    /// A moment, in seconds and nanoseconds (0 to 999,999,999) since 1970-01-01T00:00:00Z.
    package init(unixSeconds: Int64, nanoseconds: Int32 = 0) {
        self.init(seconds: unixSeconds, nanos: nanoseconds)
    }

    /// A moment, in milliseconds since 1970-01-01T00:00:00Z.
    package init(unixMilliseconds: Int64) {
        let (seconds, rest) = unixMilliseconds.quotientAndRemainder(dividingBy: 1000)
        // The nanoseconds count forward in time, before 1970 too.
        let floored = rest < 0 ? (seconds - 1, rest + 1000) : (seconds, rest)
        self.init(seconds: floored.0, nanos: Int32(floored.1) * 1_000_000)
    }

    /// Whole milliseconds since 1970-01-01T00:00:00Z, or nil when the message is not a valid
    /// google.protobuf.Timestamp: outside the years 1 to 9999, or with nanoseconds outside 0 to 999,999,999.
    package var unixMilliseconds: Int64? {
        guard Self.secondsAllowed.contains(seconds), (0..<1_000_000_000).contains(nanos) else { return nil }
        return seconds * 1000 + Int64(nanos) / 1_000_000
    }
}
