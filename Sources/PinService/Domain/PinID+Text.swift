extension PinID: LosslessStringConvertible {
    private static let length = 36
    private static let hyphens: Set = [8, 13, 18, 23]

    /// Reads "0190163d-8694-739b-aea5-966c26f8ad91", in lower or upper case; any version of UUID.
    init?(_ text: String) {
        let characters = Array(text.utf8.prefix(Self.length + 1))
        guard characters.count == Self.length else { return nil }
        var digits: [UInt64] = []
        for (index, character) in characters.enumerated() {
            if Self.hyphens.contains(index) {
                guard character == UInt8(ascii: "-") else { return nil }
            } else {
                guard let value = Self.value(character) else { return nil }
                digits.append(value)
            }
        }
        self.init(high: Self.number(digits[..<16]), low: Self.number(digits[16...]))
    }

    /// In lower case.
    var description: String {
        var text = ""
        for number in [high, low] {
            for shift in stride(from: 60, through: 0, by: -4) {
                if Self.hyphens.contains(text.utf8.count) { text.append("-") }
                text += String(number >> UInt64(shift) & 0xf, radix: 16)
            }
        }
        return text
    }

    private static func number(_ digits: ArraySlice<UInt64>) -> UInt64 { digits.reduce(0) { $0 << 4 | $1 } }

    private static func value(_ character: UInt8) -> UInt64? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(character - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(character - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
