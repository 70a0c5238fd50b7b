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
