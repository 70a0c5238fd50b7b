import Bytes

/// Numbers as people read them.
package enum Quantity {
    /// "17 m", "940 m", "1.24 km", "12.3 km", "1,234 km".
    package static func distance(_ metres: Double) -> String {
        guard metres.isFinite else { return "?" }
        switch metres {
        case ..<10: return "\(fixed(metres, 1)) m"
        case ..<999.5: return "\(fixed(metres, 0)) m"
        case ..<9_995: return "\(fixed(metres / 1000, 2)) km"
        case ..<99_950: return "\(fixed(metres / 1000, 1)) km"
        default: return "\(fixed(metres / 1000, 0)) km"
        }
    }

    /// "0.4 ms", "12 ms", "1.5 s", "2 min 5 s".
    package static func duration(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let total = Double(seconds) + Double(attoseconds) / 1e18
        switch total {
        case ..<0.0095: return "\(fixed(total * 1000, 1)) ms"
        case ..<0.9995: return "\(fixed(total * 1000, 0)) ms"
        case ..<59.95: return "\(fixed(total, 1)) s"
        case ..<3570: return "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(fixed(total / 3600, 1)) h"
        }
    }

    /// "512 B", "1.5 MB", "49.7 MB"; a megabyte has a million bytes.
    package static func bytes(_ count: UInt64) -> String {
        let number = Double(count)
        switch number {
        case ..<1000: return "\(count) B"
        case ..<999_500: return "\(fixed(number / 1e3, 0)) kB"
        case ..<999_500_000: return "\(fixed(number / 1e6, 1)) MB"
        default: return "\(fixed(number / 1e9, 2)) GB"
        }
    }

    /// "1,807,276"
    package static func count(_ number: some BinaryInteger) -> String { grouped("\(number)") }

    /// "1 place", "20 places".
    package static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Degrees with at most 7 digits behind the point and no idle zeros.
    package static func degrees(_ value: Double) -> String {
        var text = fixed(value, 7)
        while text.ends(with: "0") { text.removeLast() }
        if text.ends(with: ".") { text.removeLast() }
        return text
    }

    /// `digits` digits behind the point, 0 to 9, rounded half away from zero; thousands are grouped.
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        let power = (0..<digits).reduce(1.0) { result, _ in result * 10 }
        guard let scaled = Int64(exactly: (value * power).rounded()) else { return "\(value)" }
        let text = "\(scaled.magnitude)"
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        let whole = grouped(String(padded.dropLast(digits)))
        let sign = scaled < 0 ? "-" : ""
        return digits == 0 ? sign + whole : "\(sign)\(whole).\(padded.suffix(digits))"
    }

    private static func grouped(_ digits: String) -> String {
        guard digits.count > 3 else { return digits }
        return grouped(String(digits.dropLast(3))) + "," + digits.suffix(3)
    }
}

extension Quantity {
    /// Nanoseconds to three digits: "870 ns", "214 µs", "1.24 ms", "1.40 s".
    package static func latency(_ nanoseconds: UInt64) -> String {
        let units: [(name: String, size: Double)] = [("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
        let number = Double(nanoseconds)
        let unit = units.last { number >= $0.size * 0.9995 } ?? units[0]
        let value = number / unit.size
        let digits = unit.size == 1 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return "\(fixed(value, digits)) \(unit.name)"
    }

    /// Calls a second: "12.5/s", "5,000/s".
    package static func rate(_ rate: Double) -> String {
        "\(fixed(rate, rate < 100 && rate != rate.rounded() ? 1 : 0))/s"
    }
}
