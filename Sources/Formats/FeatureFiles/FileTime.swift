/// Times as files have them: "2026-05-04T10:30:00Z" (ISO 8601, RFC 3339), and as programs write them that don't keep to
/// it: with a blank for the T, small letters, without seconds, a comma for the point, a zone of hours alone.
package enum FileTime {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// The years 1 to 9999, which have four digits.
    private static let writable: Range<Int64> = -62_135_596_800_000..<253_402_300_800_000

    /// Milliseconds since 1970; nil for another text. Without a zone it is taken for UTC; without a time for midnight.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes.count <= 40, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let date = days(year, month, day)
        guard civil(date) == (year, month, day) else { return nil }
        let start = date * dayMilliseconds
        if bytes.count == 10 { return checked(start) }
        guard bytes.count >= 16, [0x54, 0x74, 0x20].contains(bytes[10]), bytes[13] == UInt8(ascii: ":"),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), hour < 24, minute < 60
        else { return nil }
        var rest = bytes[16...]
        var (second, milliseconds): (Int64, Int64) = (0, 0)
        if rest.first == UInt8(ascii: ":") {
            guard rest.count >= 3, let number = number(bytes[17..<19]), number < 61 else { return nil }
            (second, rest) = (number, bytes[19...])
        }
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(1 + digits.count)
            let first = Array(digits.prefix(3)) + [UInt8](repeating: 0x30, count: max(0, 3 - digits.count))
            milliseconds = number(first[...]) ?? 0
        }
        guard let zone = zoneMinutes(rest) else { return nil }
        return checked(start + ((hour * 60 + minute - zone) * 60 + second) * 1000 + milliseconds)
    }

    /// Nil for a time that no text has.
    package static func checked(_ milliseconds: Int64) -> Int64? {
        writable.contains(milliseconds) ? milliseconds : nil
    }

    /// The text of a time, in UTC.
    package static func text(_ milliseconds: Int64) -> String {
        let day = (Double(milliseconds) / Double(dayMilliseconds)).rounded(.down)
        let (year, month, date) = civil(Int64(day))
        let rest = milliseconds - Int64(day) * dayMilliseconds
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }.joined(separator: ":")
        let fraction = rest % 1000 == 0 ? "" : "." + padded(rest % 1000, 3)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T\(time)\(fraction)Z"
    }

    private static func zoneMinutes(_ text: ArraySlice<UInt8>) -> Int64? {
        let text = text.drop { $0 == UInt8(ascii: " ") }
        guard let sign = text.first, text != [UInt8(ascii: "Z")], text != [UInt8(ascii: "z")] else { return 0 }
        let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4 || digits.count == 2,
            let hours = number(digits[..<2]), let minutes = number(digits[2...])
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// Days since 1970-01-01 of a date of the calendar, counting years from March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let (era, ofEra) = (year / 400, year % 400)
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let ofEra = days - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (number <= 2 ? 1 : 0), number, ofYear - (153 * month + 2) / 5 + 1)
    }
}
