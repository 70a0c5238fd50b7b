import Glibc
import PictureCalls

/// What the clock of a camera showed, and how far it was ahead of UTC, if that is known.
struct ClockTime: Equatable {
    /// Seconds since 1970, as if it had shown UTC.
    let seconds: Int64
    var offsetMinutes: Int?

    /// Milliseconds since 1970-01-01T00:00:00Z; as if it had shown UTC when the offset is not known.
    var milliseconds: Int64 { (seconds - Int64(offsetMinutes ?? 0) * 60) * 1_000 }

    /// Year, month, day, hour, minute and second; nil when there is no such time.
    init?(_ numbers: [Int32]) {
        let ranges: [ClosedRange<Int32>] = [1_800...9_999, 1...12, 1...31, 0...23, 0...59, 0...59]
        guard numbers.count == 6, zip(numbers, ranges).allSatisfy({ $1.contains($0) }) else { return nil }
        var time = unsafe tm(
            tm_sec: numbers[5], tm_min: numbers[4], tm_hour: numbers[3], tm_mday: numbers[2], tm_mon: numbers[1] - 1,
            tm_year: numbers[0] - 1_900, tm_wday: 0, tm_yday: 0, tm_isdst: 0, tm_gmtoff: 0, tm_zone: nil)
        seconds = unsafe Int64(timegm(&time))
        // Otherwise the 31st of June has become the 1st of July.
        guard unsafe time.tm_mon == numbers[1] - 1 else { return nil }
    }

    /// As EXIF has it, "2024:06:21 14:05:33"; also as XMP does, as some programs write it.
    init?(exif text: [UInt8]) {
        if let numbers = Digits.read(text, like: "0000:00:00 00:00:00") {
            self.init(numbers)
        } else {
            self.init(xmp: String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
        }
    }

    /// As XMP has it, "2024-06-21T14:05:33.25+03:00", less exact or not; also as EXIF does, as some programs write it.
    init?(xmp text: String) {
        let bytes = Array(text.utf8).filter { $0 != 0x0a && $0 != 0x0d && $0 != 0x09 }
        let (day, rest) = (bytes.prefix(10), bytes.dropFirst(10))
        guard let date = Digits.read(Array(day), like: "0000-00-00") ?? Digits.read(Array(day), like: "0000:00:00")
        else { return nil }
        let time = rest.dropFirst().prefix { (0x30...0x3a).contains($0) }
        guard rest.isEmpty || rest.first == UInt8(ascii: "T") || rest.first == UInt8(ascii: " "),
            let numbers = rest.isEmpty
                ? [0, 0, 0]
                : Digits.read(Array(time), like: "00:00:00")
                    ?? Digits.read(Array(time), like: "00:00").map({ $0 + [0] })
        else { return nil }
        self.init(date + numbers)
        let zone = rest.dropFirst(1 + time.count).drop { $0 == 0x2e || (0x30...0x39).contains($0) }
        offsetMinutes = Self.offset(Array(zone))
    }

    /// "+09:00", "+0900", "-9", "Z"; nil when it is no offset.
    static func offset(_ text: [UInt8]) -> Int? {
        let text = text.filter { $0 != 0 && $0 != UInt8(ascii: " ") }
        if text == [UInt8(ascii: "Z")] { return 0 }
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let rest = Array(text.dropFirst())
        guard
            let numbers = ["00:00", "0:00", "00", "0"].lazy.compactMap({ Digits.read(rest, like: $0) }).first
                ?? Digits.read(rest, like: "0000").map({ [$0[0] / 100, $0[0] % 100] }),
            numbers.count < 2 || numbers[1] <= 59
        else { return nil }
        let minutes = Int(numbers[0]) * 60 + (numbers.count > 1 ? Int(numbers[1]) : 0)
        let offset = sign == UInt8(ascii: "-") ? -minutes : minutes
        return PictureNotes.offsets.contains(offset) ? offset : nil
    }

    /// How far the clock was ahead of a moment of satellites' time, which was noted some minutes before or after; nil
    /// when that is no offset that clocks have.
    func offset(from satellites: ClockTime) -> Int? {
        let ahead = Double(seconds - satellites.seconds) / 60
        guard ahead.magnitude < 1_000 else { return nil }
        let nearest = Self.halves.union((-12...14).map { $0 * 60 }).min { one, other in
            (abs(Double(one) - ahead), one) < (abs(Double(other) - ahead), other)
        }
        return nearest.flatMap { abs(Double($0) - ahead) <= Self.staleMinutes ? $0 : nil }
    }

    /// How old a position may be that a camera notes.
    private static let staleMinutes = 5.0
    /// Offsets that are not whole hours, from the Marquesas to the Chatham Islands.
    private static let halves: Set<Int> = [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825]
}

/// Numbers that stand in a text of a known form.
enum Digits {
    /// Those in a text that has a digit where the pattern has one, and is equal elsewhere; zeros may follow.
    static func read(_ text: [UInt8], like pattern: String) -> [Int32]? {
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

extension PictureNotes {
    mutating func take(_ time: ClockTime) {
        (takenMilliseconds, takenOffsetMinutes) = (time.milliseconds, time.offsetMinutes)
    }

    /// What the clock showed, if that is known.
    var clockMilliseconds: Int64? { takenMilliseconds.map { $0 + Int64(takenOffsetMinutes ?? 0) * 60_000 } }
}
