/// The beginnings of some terms of an index, evenly spread, in memory: so that a term is looked for among a few in the
/// file.
struct TermFence {
    private static let spacing = 64
    private static let keyBytes = 8

    private let keys: [UInt64]
    private let count: Int

    /// Takes the number of terms, and what gives the bytes of one.
    init(count: Int, _ term: (Int, (UnsafeRawBufferPointer) -> UInt64) -> UInt64) {
        self.count = count
        keys = stride(from: 0, to: count, by: Self.spacing).map { unsafe term($0) { unsafe Self.key($0) } }
    }

    /// Where the first term that is not below this text is, or the end of all.
    func terms(around text: [UInt8]) -> Range<Int> {
        let key = Self.key(text)
        // What has the same beginning may stand behind it or before.
        let first = number { $0 >= key }
        let behind = number { $0 > key }
        let low = max(0, first - 1) * Self.spacing
        return low..<max(low, min(count, behind * Self.spacing))
    }

    /// The first key for which an ascending condition holds, or their number.
    private func number(where holds: (UInt64) -> Bool) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(keys[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The first bytes as a number that is in the same order.
    private static func key(_ text: some Collection<UInt8>) -> UInt64 {
        var key: UInt64 = 0
        var bits: UInt64 = 64
        for byte in text.prefix(keyBytes) {
            bits -= 8
            key |= UInt64(byte) << bits
        }
        return key
    }
}
