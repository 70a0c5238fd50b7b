import Glibc

/// When a camera says that it took a picture.
enum ExifTime {
    /// Milliseconds since 1970-01-01T00:00:00Z. `text` is "2024:06:21 14:05:33", `offset` "+03:00", or nil when the
    /// camera did not write it: UTC is assumed then. Nil when it is no time.
    static func milliseconds(_ text: [UInt8], offset: [UInt8]?) -> Int64? {
        guard let numbers = numbers(text, like: "0000:00:00 00:00:00"),
            let seconds = seconds(numbers), let shift = shift(offset)
        else { return nil }
        return (seconds - shift) * 1_000
    }

    private static func seconds(_ numbers: [Int32]) -> Int64? {
        let ranges: [ClosedRange<Int32>] = [1_800...9_999, 1...12, 1...31, 0...23, 0...59, 0...59]
        guard zip(numbers, ranges).allSatisfy({ $1.contains($0) }) else { return nil }
        var time = unsafe tm(
            tm_sec: numbers[5], tm_min: numbers[4], tm_hour: numbers[3], tm_mday: numbers[2], tm_mon: numbers[1] - 1,
            tm_year: numbers[0] - 1_900, tm_wday: 0, tm_yday: 0, tm_isdst: 0, tm_gmtoff: 0, tm_zone: nil)
        let seconds = unsafe timegm(&time)
        // The 31st of June has become the 1st of July.
        let isDay = unsafe time.tm_mon == numbers[1] - 1
        return isDay ? Int64(seconds) : nil
    }

    /// Seconds to the east; nil when it is no offset.
    private static func shift(_ text: [UInt8]?) -> Int64? {
        guard let text, text.contains(where: { $0 != 0 && $0 != UInt8(ascii: " ") }) else { return 0 }
        guard let sign = text.first, let numbers = numbers(Array(text.dropFirst()), like: "00:00"),
            numbers[0] <= 15, numbers[1] <= 59
        else { return nil }
        let seconds = Int64(numbers[0]) * 3_600 + Int64(numbers[1]) * 60
        switch sign {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }

    /// The numbers in a text that has a digit where the pattern has one, and is equal elsewhere; zeros may follow.
    private static func numbers(_ text: [UInt8], like pattern: String) -> [Int32]? {
        let zero = UInt8(ascii: "0")
        let digits = zero...UInt8(ascii: "9")
        guard text.count >= pattern.utf8.count, text.dropFirst(pattern.utf8.count).allSatisfy({ $0 == 0 }) else {
            return nil
        }
        var numbers: [Int32] = [0]
        for (byte, wanted) in zip(text, pattern.utf8) {
            if digits.contains(wanted) {
                guard digits.contains(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int32(byte - zero)
            } else {
                guard byte == wanted else { return nil }
                numbers.append(0)
            }
        }
        return numbers
    }
}
