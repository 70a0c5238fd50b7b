import FoundationEssentials
import LiveNetworks
import PictureCalls

/// When a photo was taken, in milliseconds since 1970, as networks write it. Nil for anything else.
enum TakenTime {
    /// "2020-06-21 12:40:07", the time of a camera's clock, whose zone is not known.
    static func ofClock(_ text: String?) -> Int64? {
        milliseconds(
            text,
            Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().dateTimeSeparator(.space)
                .time(includingFractionalSeconds: false))
    }

    /// "2025-05-01T10:00:00+00:00"
    static func ofMoment(_ text: String?) -> Int64? { milliseconds(text, Date.ISO8601FormatStyle()) }

    /// How many minutes the clocks are ahead of UTC in a moment that is written so; nil when it does not say.
    static func offset(ofMoment text: String?) -> Int? {
        guard let text, ofMoment(text) != nil else { return nil }
        let bytes = Array(text.utf8)
        guard let sign = bytes.dropFirst(19).first(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }),
            let start = bytes.lastIndex(of: sign)
        else { return nil }
        let digits = bytes[(start + 1)...].filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let minutes = number / 100 * 60 + number % 100
        return sign == UInt8(ascii: "-") ? -minutes : minutes
    }

    /// What a clock showed, as a moment, and a moment of the same instant: how many minutes it was ahead of UTC.
    static func offset(ofClock text: String?, at milliseconds: Int64?) -> Int? {
        guard let milliseconds, let clock = text.flatMap({ ofMoment("\($0.prefix(19))Z") }) else { return nil }
        let minutes = Int(((Double(clock) - Double(milliseconds)) / 60_000).rounded())
        return PictureNotes.offsets.contains(minutes) ? minutes : nil
    }

    /// Seconds since 1970.
    static func ofSeconds(_ number: LooseNumber?) -> Int64? {
        guard let seconds = number?.value, (1..<1e11).contains(seconds) else { return nil }
        return Int64(seconds) * 1_000
    }

    private static func milliseconds(_ text: String?, _ style: Date.ISO8601FormatStyle) -> Int64? {
        guard let text, let date = try? style.parse(text) else { return nil }
        let milliseconds = date.timeIntervalSince1970 * 1_000
        return milliseconds.magnitude < 1e14 ? Int64(milliseconds) : nil
    }
}
