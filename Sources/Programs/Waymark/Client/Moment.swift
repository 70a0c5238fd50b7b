import Arguments
import FoundationEssentials
import Wire

// Moments as a person writes and reads them; all are in UTC.

extension ParsedArguments {
    /// "2024-05-17"
    private static let dayLength = 10

    /// A flag's value as the beginning of a day, "2024-05-17", or as a time, "2024-05-17T12:30:00Z".
    func moment(_ flag: String) throws(UsageError) -> TimestampMessage? {
        guard let text = text(flag) else { return nil }
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        // A day is read from the beginning of a time too.
        let isDay = text.utf8.count == Self.dayLength
        guard let date = isDay ? try? day.parse(text) : try? Date.ISO8601FormatStyle().parse(text),
            let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down))
        else {
            throw UsageError("--\(flag) is \(text), allowed is a day such as 2024-05-17, or 2024-05-17T12:30:00Z")
        }
        return TimestampMessage(unixSeconds: seconds)
    }
}

extension TimestampMessage {
    /// "2024-05-17 12:30:00"; empty when it is no moment.
    var text: String {
        guard let unixMilliseconds else { return "" }
        let date = Date(timeIntervalSince1970: Double(unixMilliseconds / 1_000))
        return date.formatted(
            Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().dateTimeSeparator(.space).time(
                includingFractionalSeconds: false))
    }
}
