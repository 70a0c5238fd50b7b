/// google.protobuf.Timestamp as JSON has it: "2024-05-17T12:30:00.250Z" (RFC 3339).
enum TimestampText {
    private static let secondsAllowed = Int64(-62_135_596_800)...253_402_300_799
    private static let secondsPerDay: Int64 = 86_400

    static func parse(_ text: String) -> WellKnownValue? {
        var cursor = TextCursor(text)
        guard let year = cursor.number(4), cursor.skip("-"), let month = cursor.number(2), cursor.skip("-"),
            let day = cursor.number(2), cursor.skip("T"), let days = CivilDate(year, month, day)?.daysSince1970,
            let time = timeOfDay(&cursor), let nanoseconds = cursor.fraction(), let offset = offset(&cursor),
            cursor.isAtEnd
        else { return nil }
        let seconds = days * secondsPerDay + time - offset
        return secondsAllowed.contains(seconds) ? WellKnownValue(seconds: seconds, nanoseconds: nanoseconds) : nil
    }

    static func text(_ value: WellKnownValue) -> String? {
        guard secondsAllowed.contains(value.seconds), (0..<1_000_000_000).contains(value.nanoseconds) else {
            return nil
        }
        let time = (value.seconds % secondsPerDay + secondsPerDay) % secondsPerDay
        let date = CivilDate(daysSince1970: (value.seconds - time) / secondsPerDay)
        let day = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
        let clock = "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        return "\(day)T\(clock)\(TextCursor.fraction(value.nanoseconds))Z"
    }

    /// "12:30:59" in seconds. Leap seconds are refused: a Timestamp has none.
    private static func timeOfDay(_ cursor: inout TextCursor) -> Int64? {
        guard let hour = cursor.number(2), hour < 24, cursor.skip(":"), let minute = cursor.number(2), minute < 60,
            cursor.skip(":"), let second = cursor.number(2), second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// "Z" or "+02:00" in seconds.
    private static func offset(_ cursor: inout TextCursor) -> Int64? {
        if cursor.skip("Z") { return 0 }
        let isWest = cursor.skip("-")
        guard isWest || cursor.skip("+"), let hours = cursor.number(2), hours < 24, cursor.skip(":"),
            let minutes = cursor.number(2), minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
