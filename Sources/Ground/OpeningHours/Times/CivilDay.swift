/// A day of the Gregorian calendar, with what selectors of days ask for. Days are counted from 1 January 1970.
struct CivilDay: Sendable {
    /// Days since 1 January 1970.
    let number: Int
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    /// By the algorithm of https://howardhinnant.github.io/date_algorithms.html#civil_from_days
    init(_ number: Int) {
        self.number = number
        let shifted = number + 719_468
        let era = Self.floored(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * ofYear + 2) / 153
        day = ofYear - (153 * part + 2) / 5 + 1
        month = part < 10 ? part + 3 : part - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// 0 is Monday.
    var weekday: Int { Self.weekday(number) }
    /// Orders the days of a year.
    var key: Int { month * 100 + day }
    var daysInMonth: Int { Self.days(in: month, of: year) }

    /// The week by ISO 8601, 1 to 53: that of the Thursday beside it.
    var week: Int {
        let thursday = CivilDay(number - weekday + 3)
        return (thursday.number - Self.number(thursday.year, 1, 1)) / 7 + 1
    }

    static func weekday(_ number: Int) -> Int {
        // 1 January 1970 was a Thursday.
        let rest = (number + 3) % 7
        return rest < 0 ? rest + 7 : rest
    }

    /// The number of a day; days beyond the month's end go on in the next.
    static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = floored(shifted, 400)
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Easter Sunday of the Western churches, by the anonymous algorithm (Nature, 20 April 1876).
    static func easter(_ year: Int) -> Int {
        let golden = year % 19
        let (century, rest) = (year / 100, year % 100)
        let shift = (century - (century + 8) / 25 + 1) / 3
        let moon = (19 * golden + century - century / 4 - shift + 15) % 30
        let week = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7
        let late = (golden + 11 * moon + 22 * week) / 451
        let sum = moon + week - 7 * late + 114
        return number(year, sum / 31, sum % 31 + 1)
    }

    private static func floored(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }
}
