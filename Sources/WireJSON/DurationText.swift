/// google.protobuf.Duration as JSON has it: "1.5s", "-0.25s".
enum DurationText {
    private static let secondsAllowed = Int64(-315_576_000_000)...315_576_000_000

    static func parse(_ text: String) -> WellKnownValue? {
        var cursor = TextCursor(text)
        let isNegative = cursor.skip("-")
        guard let seconds = cursor.digits(12)?.value, let nanoseconds = cursor.fraction(), cursor.skip("s"),
            cursor.isAtEnd
        else { return nil }
        let value = WellKnownValue(
            seconds: isNegative ? -seconds : seconds, nanoseconds: isNegative ? -nanoseconds : nanoseconds)
        return isValid(value) ? value : nil
    }

    static func text(_ value: WellKnownValue) -> String? {
        guard isValid(value) else { return nil }
        let sign = value.seconds < 0 || value.nanoseconds < 0 ? "-" : ""
        return "\(sign)\(value.seconds.magnitude)\(TextCursor.fraction(abs(value.nanoseconds)))s"
    }

    private static func isValid(_ value: WellKnownValue) -> Bool {
        guard secondsAllowed.contains(value.seconds), abs(Int64(value.nanoseconds)) < 1_000_000_000 else {
            return false
        }
        return value.seconds == 0 || value.nanoseconds == 0 || (value.seconds < 0) == (value.nanoseconds < 0)
    }
}
