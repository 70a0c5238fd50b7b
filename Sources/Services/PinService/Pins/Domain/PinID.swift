import Bytes

/// Identifies a pin: a UUID of version 7 (RFC 9562, section 5.7), so that ids made later mostly sort later.
struct PinID: Hashable, Sendable {
    /// The first eight bytes: 48 bits of milliseconds since 1970, the version, 12 random bits.
    let high: UInt64
    /// The last eight bytes: the variant, 62 random bits.
    let low: UInt64

    /// An id from its 16 bytes, in their order.
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new id. Times before 1970 and after the year 10889 lose their upper bits.
    init(unixMilliseconds: Int64, using random: inout some RandomNumberGenerator) {
        let time = UInt64(truncatingIfNeeded: unixMilliseconds) << 16
        high = time | 0x7000 | random.next() & 0x0fff
        low = 1 << 63 | random.next() >> 2
    }

    /// A new id from the kernel's random numbers.
    static func make(unixMilliseconds: Int64) -> PinID {
        var random = SystemRandomNumberGenerator()
        return PinID(unixMilliseconds: unixMilliseconds, using: &random)
    }
}

extension PinID {
    /// New ids of one time, each greater than the one before it, so that many rows are stored beside each other.
    static func ascending(_ count: Int, unixMilliseconds: Int64) -> [PinID] {
        let first = make(unixMilliseconds: unixMilliseconds)
        // The variant stays, and what is added does not reach it.
        var low = first.low & ~(1 << 61)
        return (0..<count).map { _ in
            low &+= UInt64.random(in: 1...1 << 32)
            return PinID(high: first.high, low: low)
        }
    }
}

extension PinID: Comparable {
    /// The order of the bytes, which is that of the text too.
    static func < (left: PinID, right: PinID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension PinID {
    /// Its 16 bytes, in the order of the text.
    var bytes: [UInt8] { BigEndian.bytes(high) + BigEndian.bytes(low) }

    /// An id from its 16 bytes; nil when there are more or less.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: BigEndian.number(bytes[..<8]), low: BigEndian.number(bytes[8...]))
    }
}

extension PinID: LosslessStringConvertible {
    private static let length = 36
    private static let hyphens: Set = [8, 13, 18, 23]

    /// Parses "0190163d-8694-739b-aea5-966c26f8ad91", in lower or upper case; any version of UUID.
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
