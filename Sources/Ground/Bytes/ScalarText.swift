// Text from outside is judged by its bytes and scalars. A `Character`, which String's own methods compare, is whatever
// Unicode draws as one: a "<" behind a letter like U+0D4E or before a mark like U+0301 is none that equals "<", though
// every other program sees it. Here are String's methods that would compare Characters, with bytes instead; for single
// signs there is `unicodeScalars`.

extension Substring {
    package func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    package func ends(with suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

    package func holds(_ part: String) -> Bool { utf8.firstRange(of: part.utf8) != nil }

    /// What follows a beginning; nil when this begins in another way.
    package func after(_ prefix: String) -> Substring? {
        begins(with: prefix) ? self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...] : nil
    }

    /// What precedes an end; nil when this ends in another way.
    package func before(_ suffix: String) -> Substring? {
        ends(with: suffix) ? self[..<utf8.index(endIndex, offsetBy: -suffix.utf8.count)] : nil
    }

    /// The parts between a sign.
    package func split(
        at sign: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences) { $0 == sign }
    }

    /// The parts between signs for which this holds.
    package func split(
        maxSplits: Int = .max, omittingEmptySubsequences: Bool = true, atScalars isSign: (Unicode.Scalar) -> Bool
    ) -> [Substring] {
        unicodeScalars.split(
            maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, whereSeparator: isSign
        ).map { Substring($0) }
    }

    /// The parts before and behind the first of a sign; nil when there is none.
    package func halves(at sign: Unicode.Scalar) -> (Substring, Substring)? {
        unicodeScalars.firstIndex(of: sign).map { (self[..<$0], self[unicodeScalars.index(after: $0)...]) }
    }

    /// The parts before and behind the last of a sign; nil when there is none.
    package func halves(atLast sign: Unicode.Scalar) -> (Substring, Substring)? {
        unicodeScalars.lastIndex(of: sign).map { (self[..<$0], self[unicodeScalars.index(after: $0)...]) }
    }

    /// What stands before the first of these signs; all when there is none.
    package func until(_ signs: Unicode.Scalar...) -> Substring {
        Substring(unicodeScalars.prefix { !signs.contains($0) })
    }

    /// All but these signs.
    package func without(_ signs: Unicode.Scalar...) -> String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !signs.contains($0) }))
    }

    /// Without white space at its ends.
    package var trimmed: Substring {
        let front = unicodeScalars.drop { $0.isWhitespace }
        guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return Substring(front[...last])
    }

    /// With other text in place of each occurrence of a part.
    package func replacing(each part: String, with other: String) -> String {
        if part.isEmpty { return String(self) }
        return String(decoding: Array(utf8).replacing(Array(part.utf8), with: Array(other.utf8)), as: UTF8.self)
    }

    /// Whether the bytes are the same. "==" holds for "é" in one scalar and in two, and for "K" and the Kelvin sign.
    package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// With small letters in place of the capitals of ASCII, and all else as it is.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension String {
    package func begins(with prefix: String) -> Bool { self[...].begins(with: prefix) }
    package func ends(with suffix: String) -> Bool { self[...].ends(with: suffix) }
    package func holds(_ part: String) -> Bool { self[...].holds(part) }
    package func after(_ prefix: String) -> Substring? { self[...].after(prefix) }
    package func before(_ suffix: String) -> Substring? { self[...].before(suffix) }

    package func split(
        at sign: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        self[...].split(at: sign, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences)
    }

    package func split(
        maxSplits: Int = .max, omittingEmptySubsequences: Bool = true, atScalars isSign: (Unicode.Scalar) -> Bool
    ) -> [Substring] {
        self[...].split(
            maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, atScalars: isSign)
    }

    package func halves(at sign: Unicode.Scalar) -> (Substring, Substring)? { self[...].halves(at: sign) }
    package func halves(atLast sign: Unicode.Scalar) -> (Substring, Substring)? { self[...].halves(atLast: sign) }
    package var trimmed: Substring { self[...].trimmed }

    package func until(_ signs: Unicode.Scalar...) -> Substring {
        Substring(unicodeScalars.prefix { !signs.contains($0) })
    }

    package func without(_ signs: Unicode.Scalar...) -> String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !signs.contains($0) }))
    }

    package func replacing(each part: String, with other: String) -> String {
        self[...].replacing(each: part, with: other)
    }

    package func isSame(as other: some StringProtocol) -> Bool { self[...].isSame(as: other) }
    package var asciiLowercased: String { self[...].asciiLowercased }
}

extension Unicode.Scalar {
    /// 0 to 9.
    package var isDigit: Bool { ("0"..."9").contains(self) }
    /// A to Z and a to z.
    package var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    /// 0 to 9, A to F and a to f.
    package var isHexDigit: Bool { isDigit || ("a"..."f").contains(self) || ("A"..."F").contains(self) }
    package var isLineEnd: Bool { self == "\n" || self == "\r" }
    /// Of any script.
    package var isAlphabetic: Bool { properties.isAlphabetic }
    /// Of any script, fractions too.
    package var isNumeric: Bool { properties.numericType != nil }
    package var isWhitespace: Bool { properties.isWhitespace }
}
