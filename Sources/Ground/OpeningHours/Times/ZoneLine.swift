/// "CET-1CEST,M3.5.0,M10.5.0/3": a time zone's rule as POSIX writes it, the last line of a TZif file.
struct ZoneLine {
    /// When a clock is changed, by the clock that goes until then.
    struct Change {
        private enum Day {
            case nth(month: Int, week: Int, weekday: Int)
            /// Without 29 February, from 1.
            case julian(Int)
            /// With it, from 0.
            case ofYear(Int)
        }

        private let day: Day
        private let time: Int

        fileprivate init?(_ text: inout Reader) {
            if text.take("M") {
                guard let month = text.number(1...12), text.take("."), let week = text.number(1...5), text.take("."),
                    let weekday = text.number(0...6)
                else { return nil }
                day = .nth(month: month, week: week, weekday: (weekday + 6) % 7)
            } else if text.take("J") {
                guard let number = text.number(1...365) else { return nil }
                day = .julian(number)
            } else {
                guard let number = text.number(0...365) else { return nil }
                day = .ofYear(number)
            }
            guard text.take("/") else {
                time = 7200
                return
            }
            guard let seconds = text.seconds() else { return nil }
            time = seconds
        }

        /// Since 1970, as if the clock were UTC.
        func seconds(in year: Int) -> Int {
            let start = CivilDay.number(year, 1, 1)
            switch day {
            case .julian(let day): return (start + day - (CivilDay.isLeap(year) && day >= 60 ? 0 : 1)) * 86_400 + time
            case .ofYear(let day): return (start + day) * 86_400 + time
            case .nth(let month, let week, let weekday):
                let point = DatePoint(base: .nth(month: month, weekday: weekday, nth: week == 5 ? -1 : week))
                return (point.number(in: year, isEnd: false) ?? start) * 86_400 + time
            }
        }
    }

    let offset: Int32
    let summer: (offset: Int32, start: Change, end: Change)?

    init?(_ bytes: ArraySlice<UInt8>) {
        var text = Reader(bytes: bytes)
        guard text.skipName(), let west = text.seconds() else { return nil }
        offset = Int32(clamping: -west)
        guard !text.isAtEnd else {
            summer = nil
            return
        }
        guard text.skipName() else { return nil }
        var ahead = -west + 3600
        if !text.take(",") {
            guard let west = text.seconds(), text.take(",") else { return nil }
            ahead = -west
        }
        guard let start = Change(&text), text.take(","), let end = Change(&text), text.isAtEnd else { return nil }
        summer = (Int32(clamping: ahead), start, end)
    }

    fileprivate struct Reader {
        var bytes: ArraySlice<UInt8>

        var isAtEnd: Bool { bytes.isEmpty }

        mutating func take(_ sign: Unicode.Scalar) -> Bool {
            guard bytes.first == UInt8(ascii: sign) else { return false }
            bytes.removeFirst()
            return true
        }

        mutating func skipName() -> Bool {
            if take("<") {
                guard let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return false }
                bytes = bytes[(end + 1)...]
                return true
            }
            let rest = bytes.drop { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
            defer { bytes = rest }
            return rest.count < bytes.count
        }

        mutating func number(_ bounds: ClosedRange<Int>) -> Int? {
            var (value, count) = (0, 0)
            while let byte = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), count < 4 {
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                count += 1
                bytes.removeFirst()
            }
            return count > 0 && bounds.contains(value) ? value : nil
        }

        /// "-3", "+5:30", "167:00:00"
        mutating func seconds() -> Int? {
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            guard var seconds = number(0...167).map({ $0 * 3600 }) else { return nil }
            if take(":") {
                guard let minutes = number(0...59) else { return nil }
                seconds += minutes * 60
                if take(":") {
                    guard let more = number(0...59) else { return nil }
                    seconds += more
                }
            }
            return isNegative ? -seconds : seconds
        }
    }
}
