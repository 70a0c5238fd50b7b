/// Times as lists of S3 have them: "2026-11-25T15:22:36.000Z" (RFC 3339, in UTC).
enum S3Time {
    /// Milliseconds since 1970; nil for anything else.
    static func unixMilliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes.last == UInt8(ascii: "Z") else { return nil }
        let parts = bytes.dropLast().split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == parts.count, (6...7).contains(numbers.count) else { return nil }
        let (year, month, day, hour) = (numbers[0], numbers[1], numbers[2], numbers[3])
        let (minute, second) = (numbers[4], numbers[5])
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let days = daysSince1970(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        return seconds * 1_000 + (parts.count == 7 ? thousandths(parts[6]) : 0)
    }

    /// The first three digits of a fraction.
    private static func thousandths(_ digits: ArraySlice<UInt8>) -> Int64 {
        let three = Array((digits + [UInt8](repeating: UInt8(ascii: "0"), count: 3)).prefix(3))
        return Int64(String(decoding: three, as: UTF8.self)) ?? 0
    }

    /// In the calendar that began in 1582, counted in years that begin in March.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
