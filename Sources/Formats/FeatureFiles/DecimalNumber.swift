/// Parses numbers in the notation of files, mostly without a copy.
package enum DecimalNumber {
    /// Powers of ten that a Double holds exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    ]
    /// Below 2^53, so that the digits as one number are exact, and their quotient by a power is correctly rounded.
    private static let maximumDigits = 15
    package static let longestText = 64

    /// The number in decimal notation; blanks around it are ignored. Nil for anything else, also "nan" and "inf".
    package static func parse(_ text: Span<UInt8>) -> Double? {
        var start = 0
        var end = text.count
        while start < end, text[start] == UInt8(ascii: " ") { start += 1 }
        while end > start, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
        let digits = text.extracting(start..<end)
        return short(digits) ?? long(digits)
    }

    /// The same of a text.
    package static func parse(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        return parse(bytes.span)
    }

    private static func short(_ text: Span<UInt8>) -> Double? {
        var at = 0
        var isNegative = false
        if text.count > 0, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
            isNegative = text[0] == UInt8(ascii: "-")
            at = 1
        }
        var number: UInt64 = 0
        var digits = 0
        var decimals = 0
        var hasPoint = false
        while at < text.count {
            let byte = text[at]
            at += 1
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < maximumDigits else { return nil }
            number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
            digits += 1
            if hasPoint { decimals += 1 }
        }
        guard digits > 0 else { return nil }
        let value = Double(number) / powers[decimals]
        return isNegative ? -value : value
    }

    /// Many digits or an exponent.
    private static func long(_ text: Span<UInt8>) -> Double? {
        guard (1...longestText).contains(text.count) else { return nil }
        var copy = ""
        for index in text.indices {
            guard isNumeric(text[index]) else { return nil }
            copy.unicodeScalars.append(Unicode.Scalar(text[index]))
        }
        guard let value = Double(copy), value.isFinite else { return nil }
        return value
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        case UInt8(ascii: "e"), UInt8(ascii: "E"): true
        default: false
        }
    }
}
