/// A date as rules write it: "Dec 24", "2027 Jan 1", "easter -2 days", "Oct Su[-1]".
struct DatePoint: Equatable, Sendable {
    enum Base: Equatable, Sendable {
        /// Day 0 is the first of the month, `lastDay` its last.
        case day(month: Int, day: Int)
        case nth(month: Int, weekday: Int, nth: Int)
        case easter
    }

    /// The next such weekday on or behind a date, and before it where `isBefore`.
    struct Beside: Equatable, Sendable {
        var weekday: Int
        var isBefore: Bool
    }

    static let lastDay = 32

    var year: Int?
    var base: Base
    /// The weekday beside it that is meant.
    var beside: Beside?
    /// Days behind it.
    var shift = 0

    /// Orders the days of a year; nil where the year decides which day it is.
    var key: Int? {
        guard beside == nil, shift == 0, case .day(let month, let day) = base else { return nil }
        return month * 100 + day
    }

    /// Which day it is in a year; nil for a fifth weekday of a month that has four. A day that the month doesn't have
    /// is the next month's first, or its own last where a range ends.
    func number(in year: Int, isEnd: Bool) -> Int? {
        var number: Int
        switch base {
        case .easter: number = CivilDay.easter(year)
        case .day(let month, let day):
            let last = CivilDay.days(in: month, of: year)
            let real = day == Self.lastDay || isEnd ? min(day, last) : min(day, last + 1)
            number = CivilDay.number(year, month, max(1, real))
        case .nth(let month, let weekday, let nth):
            let last = CivilDay.days(in: month, of: year)
            let first = CivilDay.weekday(CivilDay.number(year, month, 1))
            let day =
                nth > 0
                ? (weekday - first + 7) % 7 + 1 + (nth - 1) * 7
                : last - (first + last - 1 - weekday) % 7 + (nth + 1) * 7
            guard (1...last).contains(day) else { return nil }
            number = CivilDay.number(year, month, day)
        }
        if let beside {
            let there = CivilDay.weekday(number)
            number += beside.isBefore ? -((there - beside.weekday + 7) % 7) : (beside.weekday - there + 7) % 7
        }
        return number + shift
    }
}

/// From a date to a date, both included; each year where none is given.
struct DateRange: Equatable, Sendable {
    var from: DatePoint
    var to: DatePoint
    /// "2027 Jan 1+": without an end.
    var isEndless = false

    func contains(_ day: CivilDay) -> Bool {
        if from.year == nil, to.year == nil, !isEndless, let first = from.key, let last = to.key {
            let key = day.key
            return first <= last ? key >= first && key <= last : key >= first || key <= last
        }
        if from.year == nil, to.year == nil {
            // What begins in a year may end in the next.
            return (day.year - 1...day.year + 1).contains { holds(day.number, from: $0) }
        }
        if let year = from.year { return holds(day.number, from: year) }
        let year = to.year ?? day.year
        return holds(day.number, from: year) || holds(day.number, from: year - 1)
    }

    private func holds(_ day: Int, from year: Int) -> Bool {
        guard let first = from.number(in: year, isEnd: false), day >= first else { return false }
        if isEndless { return from.year != nil || day <= CivilDay.number(year, 12, 31) }
        if let fixed = to.year { return to.number(in: fixed, isEnd: true).map { day <= $0 } ?? false }
        guard let last = to.number(in: year, isEnd: true) else { return false }
        if last >= first { return day <= last }
        return to.number(in: year + 1, isEnd: true).map { day <= $0 } ?? false
    }
}
