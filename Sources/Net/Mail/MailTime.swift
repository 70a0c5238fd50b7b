import Glibc

/// Times as mail has them, in UTC.
package enum MailTime {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// "Thu, 26 Nov 2026 12:43:13 +0000" (RFC 5322), of milliseconds since 1970.
    package static func text(_ milliseconds: Int64) -> String {
        var (seconds, parts) = unsafe (time_t(milliseconds / 1_000), tm())
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
        let (weekday, month, year) = unsafe (Int(parts.tm_wday), Int(parts.tm_mon), parts.tm_year + 1900)
        let numbers = unsafe [parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
        let clock = numbers.dropFirst().joined(separator: ":")
        return "\(days[weekday % 7]), \(numbers[0]) \(months[month % 12]) \(year) \(clock) +0000"
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
