/// Numbers of names, as bits.
struct NameSet {
    private var words: [UInt64]

    /// An empty set, with room for numbers below `count`; others are left out.
    init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ name: Int) -> Bool { name / 64 < words.count && words[name / 64] & 1 << UInt64(name % 64) != 0 }

    @inline(__always)
    mutating func insert(_ name: Int) {
        guard name / 64 < words.count else { return }
        words[name / 64] |= 1 << UInt64(name % 64)
    }

    /// Adds what is in another.
    mutating func formUnion(_ other: NameSet) {
        for index in words.indices where index < other.words.count { words[index] |= other.words[index] }
    }

    /// Keeps what is in both.
    mutating func formIntersection(_ other: NameSet) {
        for index in words.indices { words[index] &= index < other.words.count ? other.words[index] : 0 }
    }

    /// Calls `body` with each number, ascending.
    func forEach<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                try body(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
