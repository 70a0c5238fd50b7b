/// Reads on which days a rule goes: years, dates, weeks, weekdays and holidays.
extension HoursReader {
    private static let years = 1900...9999
    private static let mostShift = 366

    mutating func readDays(_ days: inout DaySelector) -> Bool {
        if isYear(), !startsDate() {
            guard let years = readYears() else { return false }
            days.years = years
        }
        skipSeparator()
        if startsDate() {
            guard let dates = readDates() else { return false }
            days.dates = dates
        }
        skipSeparator()
        if take(word: .week) {
            guard let weeks = readWeeks() else { return false }
            days.weeks = weeks
        }
        skipSeparator()
        guard readWeekdays(&days) else { return false }
        skipSeparator()
        return true
    }

    /// ":" between parts is for readability.
    private mutating func skipSeparator() {
        if at > 0, !isNext(":", 1) { _ = take(sign: ":") }
    }

    // Years.

    private mutating func readYears() -> [YearRange]? {
        var years: [YearRange] = []
        repeat {
            guard let from = takeNumber(Self.years, digits: 4) else { return nil }
            var range = YearRange(from: from, to: from)
            if take(sign: "+") {
                range.to = .max
            } else if take(sign: "-") {
                guard let to = takeNumber(Self.years, digits: 4), to >= from else { return nil }
                range.to = to
                guard let step = takeStep() else { return nil }
                range.step = step
            }
            years.append(range)
        } while isNext(",") && isYear(1) && take(sign: ",")
        return years
    }

    /// "/2"; 1 without.
    private mutating func takeStep() -> Int? {
        guard isNext("/"), number(1, 1...99) != nil else { return 1 }
        at += 1
        return takeNumber(1...99)
    }

    // Weeks.

    private mutating func readWeeks() -> [WeekRange]? {
        var weeks: [WeekRange] = []
        repeat {
            guard let from = takeNumber(1...53) else { return nil }
            var range = WeekRange(from: from, to: from)
            if take(sign: "-") {
                guard let to = takeNumber(1...53) else { return nil }
                range.to = to
                guard let step = takeStep() else { return nil }
                range.step = step
            }
            weeks.append(range)
        } while isNext(",") && number(1, 1...53) != nil && take(sign: ",")
        return weeks
    }

    // Dates.

    private func startsDate(_ ahead: Int = 0) -> Bool {
        let next = isYear(ahead) ? ahead + 1 : ahead
        switch peek(next) {
        case .month, .word(.easter): return true
        // "24 Dec"
        case .number(1...31, 1...2):
            if case .month = peek(next + 1) { return true }
            return false
        default: return false
        }
    }

    private mutating func readDates() -> [DateRange]? {
        var dates: [DateRange] = []
        while true {
            guard let range = readDateRange(behind: dates.last) else { return nil }
            dates.append(range)
            guard isNext(",") else { return dates }
            // "Dec 24,25"
            let isDay = range.to.isDay && number(1, 1...31) != nil && !startsSpan(1, areHoursRead: false)
            guard isDay || startsDate(1) else { return dates }
            at += 1
        }
    }

    /// What is left out is as in the range before.
    private mutating func readDateRange(behind last: DateRange?) -> DateRange? {
        guard var from = readDate(behind: last?.to) else { return nil }
        from.year = from.year ?? last?.to.year ?? last?.from.year
        var range = DateRange(from: from, to: from)
        if isNext("+"), !startsShift() {
            at += 1
            range.isEndless = true
        } else if isNext("-"), startsDate(1) || from.isDay && number(1, 1...31) != nil {
            at += 1
            guard let to = readDate(behind: from, isEnd: true) else { return nil }
            // "Jun 5-Aug" and "Jun-Aug 15" don't say enough.
            guard to.isWholeMonth == from.isWholeMonth || !to.isPlain || !from.isPlain else { return nil }
            range.to = to
        }
        if case .day(let month, 0) = range.to.base { range.to.base = .day(month: month, day: DatePoint.lastDay) }
        return range
    }

    private mutating func readDate(behind last: DatePoint?, isEnd: Bool = false) -> DatePoint? {
        let year = isYear() ? takeNumber(Self.years, digits: 4) : nil
        guard let base = readBase(behind: last, isEnd) else { return nil }
        var date = DatePoint(year: year, base: base)
        return readShift(&date) ? date : nil
    }

    private mutating func readBase(behind last: DatePoint?, _ isEnd: Bool) -> DatePoint.Base? {
        if take(word: .easter) { return .easter }
        if let month = takeMonth() {
            if case .weekday(let day) = peek(), isNext("[", 1), isEnd || isNthDate {
                at += 1
                return readNth().map { .nth(month: month, weekday: day, nth: $0) }
            }
            return .day(month: month, day: takeNumber(1...31) ?? 0)
        }
        guard let day = takeNumber(1...31) else { return nil }
        if let month = takeMonth() { return .day(month: month, day: day) }
        guard case .day(let month, _) = last?.base else { return nil }
        return .day(month: month, day: day)
    }

    /// "Oct Su[-1]" is a date where something is counted from it, else a month and a weekday, as in "Oct Su[1],Su[3]".
    private var isNthDate: Bool {
        let end = isNext("-", 2) ? 4 : 3
        return isNext("]", end) && (isNext("-", end + 1) || isNext("+", end + 1))
    }

    /// "[-1]"
    private mutating func readNth() -> Int? {
        guard take(sign: "[") else { return nil }
        let isFromEnd = take(sign: "-")
        guard let nth = takeNumber(1...5), take(sign: "]") else { return nil }
        return isFromEnd ? -nth : nth
    }

    /// "+1 day", "-Su", "-Su -2 days"
    private mutating func readShift(_ date: inout DatePoint) -> Bool {
        if isNext("+") || isNext("-"), case .weekday(let day) = peek(1), !isNext("[", 2) {
            date.beside = DatePoint.Beside(weekday: day, isBefore: isNext("-"))
            at += 2
        }
        guard startsShift() else { return true }
        guard let shift = takeShift() else { return false }
        date.shift = shift
        return true
    }

    private func startsShift() -> Bool {
        guard isNext("+") || isNext("-") else { return false }
        guard number(1, 0...Self.mostShift, digits: 3) != nil else {
            if case .weekday = peek(1) { return !isNext("[", 2) }
            return false
        }
        return peek(2) == .word(.day)
    }

    /// "-2 days"
    private mutating func takeShift() -> Int? {
        let isBefore = isNext("-")
        at += 1
        guard let days = takeNumber(0...Self.mostShift, digits: 3), take(word: .day) else { return nil }
        return isBefore ? -days : days
    }

    // Weekdays and holidays.

    private mutating func readWeekdays(_ days: inout DaySelector) -> Bool {
        var isBehindHolidays = false
        while startsWeekday(0) {
            let isHoliday = startsHoliday(0)
            // "PH Mo-Fr" without a comma: holidays on these days.
            if isBehindHolidays, !isHoliday { days.areHolidaysWithin = true }
            guard isHoliday ? readHoliday(&days) : readWeekdayRange(&days) else { return false }
            isBehindHolidays = false
            if isNext(","), startsWeekday(1) {
                at += 1
            } else if startsWeekday(0) {
                isBehindHolidays = isHoliday && !days.namesWeekdays
            }
        }
        return true
    }

    private var dayNames: [(word: HoursWord, weekdays: UInt8)] {
        [(.daily, 0x7F), (.weekend, 0x60), (.workdays, 0x1F)]
    }

    private func startsHoliday(_ ahead: Int) -> Bool {
        peek(ahead) == .word(.publicHoliday) || peek(ahead) == .word(.schoolHoliday)
    }

    private func startsWeekday(_ ahead: Int) -> Bool {
        if case .weekday = peek(ahead) { return true }
        return startsHoliday(ahead) || dayNames.contains { peek(ahead) == .word($0.word) }
    }

    private mutating func readHoliday(_ days: inout DaySelector) -> Bool {
        if take(word: .schoolHoliday) {
            days.hasSchoolHolidays = true
            return true
        }
        guard take(word: .publicHoliday) else { return false }
        guard startsShift() else {
            days.publicHolidays.append(0)
            return true
        }
        guard let shift = takeShift() else { return false }
        days.publicHolidays.append(shift)
        return true
    }

    private mutating func readWeekdayRange(_ days: inout DaySelector) -> Bool {
        for (word, weekdays) in dayNames where take(word: word) {
            days.weekdays |= weekdays
            return true
        }
        guard let from = takeWeekday() else { return false }
        if isNext("[") { return readNths(of: from, &days) }
        guard isNext("-"), case .weekday(let to) = peek(1) else {
            days.weekdays |= 1 << UInt8(from)
            return true
        }
        at += 2
        // "Sa-Mo" goes over the week's end.
        for step in 0...(to - from + 7) % 7 { days.weekdays |= 1 << UInt8((from + step) % 7) }
        return true
    }

    /// "[1,3]", "[1-2]", "[-1] +1 day"
    private mutating func readNths(of weekday: Int, _ days: inout DaySelector) -> Bool {
        at += 1
        let first = days.nthWeekdays.count
        repeat {
            let isFromEnd = take(sign: "-")
            guard let from = takeNumber(1...5) else { return false }
            var to = from
            if !isFromEnd, take(sign: "-") {
                guard let last = takeNumber(from...5) else { return false }
                to = last
            }
            days.nthWeekdays += (from...to).map { NthWeekday(weekday: weekday, nth: isFromEnd ? -$0 : $0) }
        } while take(sign: ",")
        guard take(sign: "]") else { return false }
        guard startsShift() else { return true }
        guard let shift = takeShift() else { return false }
        for index in first..<days.nthWeekdays.count { days.nthWeekdays[index].shift = shift }
        return true
    }
}

extension DatePoint {
    /// A day of a month, without more.
    fileprivate var isDay: Bool {
        if case .day(_, 1...31) = base { return isPlain }
        return false
    }
    fileprivate var isPlain: Bool {
        if case .day = base { return beside == nil && shift == 0 }
        return false
    }
    fileprivate var isWholeMonth: Bool {
        if case .day(_, 0) = base { return true }
        return false
    }
}
