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
