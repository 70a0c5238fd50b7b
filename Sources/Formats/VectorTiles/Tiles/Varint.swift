/// Numbers in as few bytes as they need, seven bits each, the lowest first, as protobuf and PMTiles have them.
enum Varint {
    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Takes a number off the front; nil when the bytes end within it, or it has more than 64 bits.
    static func read(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var (number, shift) = (UInt64(0), UInt64(0))
        while let byte = bytes.popFirst() {
            guard shift < 63 || (shift == 63 && byte < 2) else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// Zigzag: 0, -1, 1, -2 … are 0, 1, 2, 3 …
    static func folded(_ number: Int32) -> UInt32 { UInt32(bitPattern: number << 1 ^ number >> 31) }

    static func unfolded(_ number: UInt64) -> Int32 {
        let bits = UInt32(truncatingIfNeeded: number)
        return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
    }
}

extension [UInt8] {
    /// Appends a number, its lowest byte first.
    package mutating func append(number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
