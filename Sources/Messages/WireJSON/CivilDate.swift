/// A day of the Gregorian calendar, also for the time before it was introduced.
///
/// Days are counted in years that start in March, so that the leap day is a year's last; 400 of them have 146,097 days.
struct CivilDate: Equatable {
    let year: Int64
    let month: Int64
    let day: Int64

    private static let daysPer400Years: Int64 = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysTo1970: Int64 = 719_468

    /// Nil when there is no such day. The year is 1 to 9999.
    init?(_ year: Int64, _ month: Int64, _ day: Int64) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.days(in: month, of: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Parameter days: from 0001-01-01 to 9999-12-31.
    init(daysSince1970 days: Int64) {
        let shifted = days + Self.daysTo1970
        let era = shifted / Self.daysPer400Years
        let dayOfEra = shifted % Self.daysPer400Years
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear / 400
        let yearOfEra = marchYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPer400Years + dayOfEra - Self.daysTo1970
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
