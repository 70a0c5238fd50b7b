/// The message types that are strings in JSON.
enum WellKnownType {
    case timestamp, duration

    init?(_ name: String) {
        switch name {
        case "google.protobuf.Timestamp": self = .timestamp
        case "google.protobuf.Duration": self = .duration
        default: return nil
        }
    }

    /// The valid forms of a value, for errors.
    var allowed: String {
        switch self {
        case .timestamp:
            "a time from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z, such as \"2024-05-17T12:30:00.25Z\""
        case .duration: "a duration up to 315576000000s either way, such as \"1.5s\""
        }
    }

    /// The value that a string says, nil when it says none.
    func parse(_ text: String) -> WellKnownValue? {
        switch self {
        case .timestamp: TimestampText.parse(text)
        case .duration: DurationText.parse(text)
        }
    }

    /// The value as a string, nil when it is out of range.
    func text(_ value: WellKnownValue) -> String? {
        switch self {
        case .timestamp: TimestampText.text(value)
        case .duration: DurationText.text(value)
        }
    }
}

/// The fields that both types have.
struct WellKnownValue: Equatable {
    var seconds: Int64
    var nanoseconds: Int32
}

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
