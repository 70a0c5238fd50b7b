/// A 64-bit checksum of bytes, made for finding damage, not for secrets.
///
/// Four lanes take every fourth word; a lane's step (xor, multiply by an odd number, rotate) can be undone, so two
/// inputs that differ in one word never end in the same lane. The lanes run side by side in the processor.
package struct Checksum {
    private var a: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var b: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private var c: UInt64 = 0x1656_67B1_9E37_79F9
    private var d: UInt64 = 0x27D4_EB2F_1656_67C5
    private var length: UInt64 = 0

    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var checksum = Checksum()
        unsafe checksum.add(bytes)
        return checksum.value
    }

    package static func of(_ bytes: [UInt8]) -> UInt64 { unsafe bytes.withUnsafeBytes { unsafe of($0) } }

    /// Adds bytes. All pieces but the last must have a multiple of 32 bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var at = 0
        while at + 32 <= bytes.count {
            a = Self.step(a, unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            b = Self.step(b, unsafe bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self))
            c = Self.step(c, unsafe bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self))
            d = Self.step(d, unsafe bytes.loadUnaligned(fromByteOffset: at + 24, as: UInt64.self))
            at += 32
        }
        while at + 8 <= bytes.count {
            a = Self.step(a, unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at += 8
        }
        guard at < bytes.count else { return }
        var rest: UInt64 = 0
        while at < bytes.count {
            unsafe rest = rest << 8 | UInt64(bytes[at])
            at += 1
        }
        b = Self.step(b, rest)
    }

    var value: UInt64 {
        var sum = Self.step(Self.step(Self.step(Self.step(length, a), b), c), d)
        sum ^= sum >> 32
        sum &*= 0xD6E8_FEB8_6659_FD93
        return sum ^ (sum >> 29)
    }

    @inline(__always)
    private static func step(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (lane ^ word) &* 0x9FB2_1C65_1E98_DF25
        return (mixed << 31) | (mixed >> 33)
    }
}
