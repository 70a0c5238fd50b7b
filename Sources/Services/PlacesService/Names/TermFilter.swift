/// Says of most texts that are no term of an index that they are none, without a look into the file: one bit of each
/// hash says whether a term has it (Bloom 1970, with a single hash).
struct TermFilter {
    private static let bitsPerTerm = 8

    private var bits: [UInt64]
    private let mask: UInt64

    /// - Parameter count: how many terms there will be.
    init(count: Int) {
        var size: UInt64 = 64
        while size < UInt64(count) * UInt64(Self.bitsPerTerm) { size *= 2 }
        (mask, bits) = (size - 1, [UInt64](repeating: 0, count: Int(size / 64)))
    }

    mutating func add(_ hash: UInt64) {
        let bit = hash & mask
        bits[Int(bit / 64)] |= 1 << (bit % 64)
    }

    func mayHave(_ text: [UInt8]) -> Bool {
        let bit = Self.hash(text) & mask
        return bits[Int(bit / 64)] & 1 << (bit % 64) != 0
    }

    /// FNV-1a, whose high bits are mixed into the low ones.
    static func hash(_ text: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash ^ hash >> 32
    }
}
