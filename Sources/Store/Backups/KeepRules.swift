import Bytes

/// Which backups are kept: the newest of each of so many hours, days, weeks, months or years that have one. The newest
/// of all is always kept. No clock is asked, so one that jumps removes nothing.
package struct KeepRules: Equatable, Sendable {
    /// Seconds since 1970 to the number of a period.
    private enum Unit: UInt8, Sendable {
        case hours = 0x68  // h
        case days = 0x64  // d
        case weeks = 0x77  // w
        case months = 0x6d  // m
        case years = 0x79  // y
    }

    private let rules: [(unit: Unit, count: Int)]

    package static let allowed = "numbers of h, d, w, m or y are, such as 7d,4w,12m"

    /// "7d,4w,12m"; nil when it is none.
    package init?(_ text: String) {
        var rules: [(unit: Unit, count: Int)] = []
        for part in text.split(at: ",") {
            let bytes = Array(part.utf8)
            guard let unit = bytes.last.flatMap({ Unit(rawValue: $0) }),
                let count = Int(String(decoding: bytes.dropLast(), as: UTF8.self)), (1...10_000).contains(count)
            else { return nil }
            rules.append((unit, count))
        }
        guard !rules.isEmpty else { return nil }
        self.rules = rules
    }

    package static func == (one: KeepRules, other: KeepRules) -> Bool {
        one.rules.elementsEqual(other.rules) { $0 == $1 }
    }

    /// Those of `times`, in seconds since 1970 and the newest first, that are kept.
    package func kept(_ times: [Int64]) -> Set<Int> {
        var kept: Set<Int> = times.isEmpty ? [] : [0]
        for rule in rules {
            var periods: Set<Int64> = []
            for (index, time) in times.enumerated() {
                let period = Self.period(time, rule.unit)
                guard !periods.contains(period) else { continue }
                guard periods.count < rule.count else { break }
                periods.insert(period)
                kept.insert(index)
            }
        }
        return kept
    }

    private static func period(_ time: Int64, _ unit: Unit) -> Int64 {
        let day = floored(time, 86_400)
        switch unit {
        case .hours: return floored(time, 3_600)
        case .days: return day
        // 1970 began on a Thursday; weeks begin on Mondays.
        case .weeks: return floored(day + 3, 7)
        case .months: return month(day)
        case .years: return floored(month(day), 12)
        }
    }

    /// Months since March of year 0, by Howard Hinnant's days_from_civil, backwards
    /// (https://howardhinnant.github.io/date_algorithms.html).
    private static func month(_ day: Int64) -> Int64 {
        let shifted = day + 719_468
        let era = floored(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        // January and February belong to the year before; counted from January, the years are whole ones.
        return (era * 400 + year) * 12 + month + 2
    }

    private static func floored(_ number: Int64, _ by: Int64) -> Int64 {
        number >= 0 ? number / by : -((-number + by - 1) / by)
    }
}
