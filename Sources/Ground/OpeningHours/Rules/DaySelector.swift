/// The days of a rule: every part that is given has to hold.
struct DaySelector: Sendable {
    var years: [YearRange] = []
    var dates: [DateRange] = []
    var weeks: [WeekRange] = []
    /// A bit for each weekday, Monday the lowest.
    var weekdays: UInt8 = 0
    var nthWeekdays: [NthWeekday] = []
    /// Days behind a public holiday that are meant; 0 is the holiday.
    var publicHolidays: [Int] = []
    var hasSchoolHolidays = false
    /// "PH Mo-Fr" means holidays that are such weekdays; "PH,Mo-Fr" both.
    var areHolidaysWithin = false

    var namesWeekdays: Bool { weekdays != 0 || !nthWeekdays.isEmpty }
    var namesHolidays: Bool { !publicHolidays.isEmpty || hasSchoolHolidays }
    var isEveryDay: Bool {
        years.isEmpty && dates.isEmpty && weeks.isEmpty && !namesHolidays && (weekdays == 0x7F || !namesWeekdays)
    }
    var partCount: Int { years.count + dates.count + weeks.count + nthWeekdays.count + publicHolidays.count }

    /// `isHoliday` tells what is taken for one.
    func holds(_ day: CivilDay, _ holidays: HolidayGuess) -> Bool {
        if namesWeekdays || namesHolidays, !holdsWeekday(day, holidays) { return false }
        if !dates.isEmpty, !dates.contains(where: { $0.contains(day) }) { return false }
        if !years.isEmpty, !years.contains(where: { $0.contains(day.year) }) { return false }
        if !weeks.isEmpty {
            let week = day.week
            if !weeks.contains(where: { $0.contains(week) }) { return false }
        }
        return true
    }

    private func holdsWeekday(_ day: CivilDay, _ holidays: HolidayGuess) -> Bool {
        let isWeekday =
            weekdays & (1 << UInt8(day.weekday)) != 0 || nthWeekdays.contains { $0.contains(day) }
        guard namesHolidays else { return isWeekday }
        let isHoliday =
            hasSchoolHolidays && holidays.isSchoolHoliday
            || publicHolidays.contains { holidays.isPublicHoliday(day.number - $0) }
        return areHolidaysWithin ? isWeekday && isHoliday : isWeekday || isHoliday
    }
}

/// "2020", "2020-2030/2", "2020+"
struct YearRange: Equatable, Sendable {
    var from: Int
    var to: Int
    var step = 1

    func contains(_ year: Int) -> Bool { year >= from && year <= to && (year - from) % step == 0 }
}

/// "week 1-53/2". Weeks from a later to an earlier go over the turn of the year.
struct WeekRange: Equatable, Sendable {
    var from: Int
    var to: Int
    var step = 1

    func contains(_ week: Int) -> Bool {
        if from > to { return week >= from || week <= to }
        return week >= from && week <= to && (week - from) % step == 0
    }
}

/// "Mo[1]", "Fr[-1] +1 day"
struct NthWeekday: Equatable, Sendable {
    var weekday: Int
    /// 1 to 5, from the end -1 to -5.
    var nth: Int
    /// Days behind it.
    var shift = 0

    func contains(_ day: CivilDay) -> Bool {
        let base = shift == 0 ? day : CivilDay(day.number - shift)
        guard base.weekday == weekday else { return false }
        return nth > 0 ? (base.day - 1) / 7 == nth - 1 : (base.daysInMonth - base.day) / 7 == -nth - 1
    }
}
