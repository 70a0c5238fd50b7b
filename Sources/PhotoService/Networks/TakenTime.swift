import FoundationEssentials
import LiveNetworks

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
