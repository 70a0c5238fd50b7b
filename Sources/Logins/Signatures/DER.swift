/// What keys and signatures need of DER (X.690).
enum DER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }

    /// A number that is not negative, given by its bytes, the highest first.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let magnitude = bytes.drop { $0 == 0 }
        // The highest bit would be the sign.
        let isPadded = (magnitude.first ?? 0x80) >= 0x80
        return value(0x02, (isPadded ? [0] : []) + magnitude)
    }

    /// Whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag] + length(content.count) + content }

    /// Of less than 65,536 bytes; no key and no signature has more.
    private static func length(_ count: Int) -> [UInt8] {
        let (high, low) = (UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count))
        return switch count {
        case ..<0x80: [low]
        case ..<0x100: [0x81, low]
        default: [0x82, high, low]
        }
    }
}
