/// Reads a short ASCII text from left to right.
struct TextCursor {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips the character if it comes next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// As many digits as there are, at most `limit`, as a number; nil when there are none.
    mutating func digits(_ limit: Int) -> (value: Int64, count: Int)? {
        var value: Int64 = 0
        var count = 0
        while count < limit, let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            count += 1
            rest.removeFirst()
        }
        return count > 0 ? (value, count) : nil
    }

    /// Exactly `count` digits as a number.
    mutating func number(_ count: Int) -> Int64? {
        guard let digits = digits(count), digits.count == count else { return nil }
        return digits.value
    }

    /// ".25" as nanoseconds; 0 when no point comes next, nil when it has no digits or more than nine.
    mutating func fraction() -> Int32? {
        guard skip(".") else { return 0 }
        guard var (value, count) = digits(9) else { return nil }
        while count < 9 {
            value *= 10
            count += 1
        }
        return Int32(value)
    }

    /// Nanoseconds as a fraction of 0, 3, 6 or 9 digits.
    static func fraction(_ nanoseconds: Int32) -> String {
        guard nanoseconds > 0 else { return "" }
        let digits = String(nanoseconds)
        let padded = String(repeating: "0", count: 9 - digits.count) + digits
        if nanoseconds % 1_000_000 == 0 { return ".\(padded.prefix(3))" }
        return nanoseconds % 1000 == 0 ? ".\(padded.prefix(6))" : ".\(padded)"
    }
}
