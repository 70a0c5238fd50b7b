/// A word, number, time or sign of an opening_hours value.
enum HoursToken: Equatable, Sendable {
    /// "8:30", "8h30", "8.30 pm": minutes since midnight, up to 48 hours.
    case time(Int)
    /// Digits without more: its value and how many there are.
    case number(Int, digits: Int)
    /// 0 is Monday.
    case weekday(Int)
    /// 1 to 12.
    case month(Int)
    case word(HoursWord)
    /// The bytes between the quotation marks.
    case comment(Range<Int>)
    /// One of , ; : - + / ( ) [ ], and | for two of them.
    case sign(UInt8)
}

/// Words with a meaning of their own.
enum HoursWord: Sendable {
    case off, open, unknown, publicHoliday, schoolHoliday, week, easter, day, dawn, sunrise, sunset, dusk, daily, late
    case weekend, workdays, morning, afternoon, hours

    /// What a word in lower case stands for.
    static func token(_ word: ArraySlice<UInt8>) -> HoursToken? {
        guard word.count <= longest else { return nil }
        return known[String(decoding: word, as: UTF8.self)]
    }

    private static let longest = 12
    private static let dash = HoursToken.sign(UInt8(ascii: "-"))
    private static let known: [String: HoursToken] = [
        "off": .word(.off), "closed": .word(.off), "close": .word(.off), "geschlossen": .word(.off),
        "open": .word(.open), "unknown": .word(.unknown),
        "ph": .word(.publicHoliday), "sh": .word(.schoolHoliday), "week": .word(.week), "weeks": .word(.week),
        "easter": .word(.easter), "day": .word(.day), "days": .word(.day),
        "dawn": .word(.dawn), "sunrise": .word(.sunrise), "sunset": .word(.sunset), "dusk": .word(.dusk),
        "daily": .word(.daily), "everyday": .word(.daily), "weekend": .word(.weekend), "weekends": .word(.weekend),
        "weekday": .word(.workdays), "weekdays": .word(.workdays), "late": .word(.late),
        "am": .word(.morning), "pm": .word(.afternoon), "h": .word(.hours), "hrs": .word(.hours),
        "hours": .word(.hours), "uhr": .word(.hours), "noon": .time(720), "midnight": .time(1440),
        "to": dash, "bis": dash, "til": dash, "till": dash, "until": dash, "through": dash, "thru": dash,
        "and": .sign(UInt8(ascii: ",")), "und": .sign(UInt8(ascii: ",")),
        "di": .weekday(1), "mi": .weekday(2), "do": .weekday(3), "so": .weekday(6), "montag": .weekday(0),
        "dienstag": .weekday(1), "mittwoch": .weekday(2), "donnerstag": .weekday(3), "freitag": .weekday(4),
        "samstag": .weekday(5), "sonntag": .weekday(6), "mai": .month(5), "okt": .month(10), "dez": .month(12),
    ]
}
