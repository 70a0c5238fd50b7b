/// Cuts a value into its tokens. Judges bytes, for what stands there is from anywhere.
struct HoursScanner {
    /// Of hours, as in "48:00".
    private static let mostHours = 48
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        .map { Array($0.utf8) }
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ].map { Array($0.utf8) }

    private let bytes: ArraySlice<UInt8>
    private var at: Int
    private(set) var tokens: [HoursToken] = []

    /// Nil where something stands that is no token, or there are more than `most`.
    static func tokens(of bytes: ArraySlice<UInt8>, most: Int) -> [HoursToken]? {
        var scanner = HoursScanner(bytes)
        while scanner.skipBlanks() {
            guard scanner.tokens.count < most, let token = scanner.next() else { return nil }
            scanner.tokens.append(token)
        }
        return scanner.tokens
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    private func peek(_ ahead: Int = 0) -> UInt8? { at + ahead < bytes.endIndex ? bytes[at + ahead] : nil }

    /// False at the end.
    private mutating func skipBlanks() -> Bool {
        while let byte = peek() {
            if byte == 0x20 || (9...13).contains(byte) {
                at += 1
            } else if let length = blankLength() {
                at += length
            } else {
                return true
            }
        }
        return false
    }

    /// Of a blank that is no ASCII: U+00A0, U+2000 to U+200B, U+202F, U+3000, U+FEFF.
    private func blankLength() -> Int? {
        switch (peek(), peek(1), peek(2)) {
        case (0xC2, 0xA0, _): 2
        case (0xE2, 0x80, .some(0x80...0x8B)), (0xE2, 0x80, 0xAF), (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF): 3
        default: nil
        }
    }

    private mutating func next() -> HoursToken? {
        guard let byte = peek() else { return nil }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return word()
        case UInt8(ascii: "\""): return comment()
        case UInt8(ascii: "|"):
            guard peek(1) == byte else { return nil }
            at += 2
            return .sign(byte)
        case UInt8(ascii: "~"): return sign(UInt8(ascii: "-"))
        case UInt8(ascii: "&"): return sign(UInt8(ascii: ","))
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"):
            return sign(byte)
        default: return wideSign()
        }
    }

    private mutating func sign(_ sign: UInt8, length: Int = 1) -> HoursToken {
        at += length
        return .sign(sign)
    }

    /// Dashes of all lengths, and the signs of East Asia's keyboards.
    private mutating func wideSign() -> HoursToken? {
        switch (peek(), peek(1), peek(2)) {
        case (0xE2, 0x80, .some(0x90...0x95)), (0xE2, 0x88, 0x92), (0xE3, 0x80, 0x9C), (0xEF, 0xBD, 0x9E),
            (0xEF, 0xBC, 0x8D):
            return sign(UInt8(ascii: "-"), length: 3)
        case (0xEF, 0xBC, 0x8C), (0xE3, 0x80, 0x81): return sign(UInt8(ascii: ","), length: 3)
        case (0xEF, 0xBC, 0x9B): return sign(UInt8(ascii: ";"), length: 3)
        case (0xEF, 0xBC, 0x9A): return sign(UInt8(ascii: ":"), length: 3)
        case (0xE2, 0x80, .some(0x9C...0x9F)): return wideComment()
        default: return nil
        }
    }

    private mutating func comment() -> HoursToken? {
        at += 1
        guard let end = bytes[at...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        defer { at = end + 1 }
        return .comment(at..<end)
    }

    /// Between “ and ”.
    private mutating func wideComment() -> HoursToken? {
        at += 3
        let start = at
        while at < bytes.endIndex {
            if case (0xE2, 0x80, .some(0x9C...0x9F)) = (peek(), peek(1), peek(2)) {
                defer { at += 3 }
                return .comment(start..<at)
            }
            at += 1
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    private mutating func digits(atMost most: Int) -> (value: Int, count: Int)? {
        var (value, count) = (0, 0)
        while let byte = peek(), Self.isDigit(byte) {
            guard count < most else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            count += 1
            at += 1
        }
        return (value, count)
    }

    private mutating func number() -> HoursToken? {
        guard let (value, count) = digits(atMost: 4) else { return nil }
        guard count <= 2, hasMinutes() else {
            // "Dec 24.-26."
            if count <= 2, peek() == UInt8(ascii: "."), !Self.isDigit(peek(1)) { at += 1 }
            return .number(value, digits: count)
        }
        at += isFullWidthColon ? 3 : 1
        guard let (minutes, _) = digits(atMost: 2), minutes < 60, value <= Self.mostHours else { return nil }
        skipSeconds()
        let time = value * 60 + minutes
        return time <= Self.mostHours * 60 ? .time(time) : nil
    }

    private var isFullWidthColon: Bool { peek() == 0xEF && peek(1) == 0xBC && peek(2) == 0x9A }

    /// ":30", ".30" and "h30", with two digits. A point may also separate something else, so it is only read so before
    /// two digits.
    private func hasMinutes() -> Bool {
        let isMark = peek() == UInt8(ascii: ":") || peek() == UInt8(ascii: ".") || peek() == UInt8(ascii: "h")
        let length = isFullWidthColon ? 3 : isMark ? 1 : 0
        return length > 0 && Self.isDigit(peek(length)) && Self.isDigit(peek(length + 1))
            && !Self.isDigit(peek(length + 2))
    }

    /// "08:00:00"
    private mutating func skipSeconds() {
        guard peek() == UInt8(ascii: ":"), peek(1) == UInt8(ascii: "0"), peek(2) == UInt8(ascii: "0"),
            !Self.isDigit(peek(3))
        else { return }
        at += 3
    }

    private mutating func word() -> HoursToken? {
        let start = at
        while let byte = peek(), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { at += 1 }
        let lower = bytes[start..<at].map { $0 | 0x20 }[...]
        // "Mon.", and "a.m."
        guard peek() == UInt8(ascii: ".") else { return Self.token(lower) }
        at += 1
        guard lower.count == 1, let first = lower.first, (peek() ?? 0) | 0x20 == UInt8(ascii: "m") else {
            return Self.token(lower)
        }
        at += peek(1) == UInt8(ascii: ".") ? 2 : 1
        return Self.token([first, UInt8(ascii: "m")])
    }

    private static func token(_ word: ArraySlice<UInt8>) -> HoursToken? {
        if word.count >= 2, let day = weekdays.firstIndex(where: { isBeginning(word, of: $0) }) {
            return .weekday(day)
        }
        if word.count >= 3, let month = months.firstIndex(where: { isBeginning(word, of: $0) }) {
            return .month(month + 1)
        }
        return HoursWord.token(word)
    }

    /// "Mo", "Mon" and "Monday"; also "Thur" and "Weds", "Mons" and "Mondays".
    private static func isBeginning(_ word: ArraySlice<UInt8>, of name: [UInt8]) -> Bool {
        if name.starts(with: word) { return true }
        guard word.count >= 4, word.last == UInt8(ascii: "s") else { return false }
        return name.starts(with: word.dropLast())
    }
}
