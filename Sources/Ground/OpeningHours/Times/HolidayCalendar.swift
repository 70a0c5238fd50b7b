/// Which days are public holidays in a country: some each year, some by Easter, some listed.
package struct HolidayCalendar: Sendable {
    /// Days of one kind.
    private struct Days {
        /// A bit for each day, for each month.
        var yearly = [UInt32](repeating: 0, count: 12)
        /// Days behind Easter Sunday.
        var byEaster: [Int] = []
        /// Days since 1970, ascending.
        var listed: [Int] = []

        mutating func add(_ day: Day) {
            switch day {
            case .yearly(let month, let day): yearly[month - 1] |= 1 << UInt32(day)
            case .byEaster(let shift): byEaster.append(shift)
            case .listed(let number): listed.append(number)
            }
        }

        func contains(_ day: CivilDay) -> Bool {
            if yearly[day.month - 1] & (1 << UInt32(day.day)) != 0 { return true }
            if !byEaster.isEmpty, byEaster.contains(day.number - CivilDay.easter(day.year)) { return true }
            var (low, high) = (0, listed.count)
            while low < high {
                let middle = (low + high) / 2
                if listed[middle] < day.number { low = middle + 1 } else { high = middle }
            }
            return low < listed.count && listed[low] == day.number
        }
    }

    private enum Day {
        case yearly(month: Int, day: Int)
        case byEaster(Int)
        case listed(Int)

        init?(_ word: some Collection<UInt8>) {
            if word.first == UInt8(ascii: "e") {
                guard let shift = Int(String(decoding: word.dropFirst(), as: UTF8.self)), (-200...200).contains(shift)
                else { return nil }
                self = .byEaster(shift)
                return
            }
            guard word.count == 4 || word.count == 8, let number = Int(String(decoding: word, as: UTF8.self)) else {
                return nil
            }
            let (month, day) = (number / 100 % 100, number % 100)
            guard number > 0, (1...12).contains(month), (1...31).contains(day) else { return nil }
            let isYearly = word.count == 4
            self = isYearly ? .yearly(month: month, day: day) : .listed(CivilDay.number(number / 10_000, month, day))
        }
    }

    package enum Answer: Sendable { case no, yes, unknown }

    /// In all of the country.
    private var whole = Days()
    /// In some of its regions.
    private var parts = Days()
    /// Of what is listed; other years aren't known.
    private let years: ClosedRange<Int>

    /// Reads "0101 1225 e-2 20270512 ?0106 ?e49": days of each year, days by Easter, and days of one year; with a
    /// question mark those of some regions only. Nil when it is something else.
    package init?(_ text: some Collection<UInt8>, years: ClosedRange<Int>) {
        self.years = years
        for word in text.split(separator: UInt8(ascii: " ")) {
            let isPart = word.first == UInt8(ascii: "?")
            guard let day = Day(isPart ? word.dropFirst() : word) else { return nil }
            if isPart { parts.add(day) } else { whole.add(day) }
        }
        whole.listed.sort()
        parts.listed.sort()
    }

    /// Whether a day, counted from 1970, is one.
    func isHoliday(_ number: Int) -> Answer {
        let day = CivilDay(number)
        if whole.contains(day) { return .yes }
        if parts.contains(day) { return .unknown }
        return years.contains(day.year) ? .no : .unknown
    }
}

/// What is taken for a holiday while a value is asked. Where that isn't known it is asked for both.
struct HolidayGuess {
    let calendar: HolidayCalendar?
    /// What days are taken for of which the calendar knows nothing.
    var isUnknownPublic = false
    var isSchoolHoliday = false

    func isPublicHoliday(_ day: Int) -> Bool {
        switch calendar?.isHoliday(day) ?? .unknown {
        case .yes: true
        case .no: false
        case .unknown: isUnknownPublic
        }
    }

    func isUnknown(_ day: Int) -> Bool { (calendar?.isHoliday(day) ?? .unknown) == .unknown }
}
