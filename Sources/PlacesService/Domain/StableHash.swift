/// FNV-1a with 64 bits (draft-eastlake-fnv): the same on every machine and in every run. No protection against
/// anybody who looks for collisions.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }

    /// Adds the eight bytes of a number, lowest first.
    mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Adds a list so that no two different lists look alike.
    mutating func add(list: [[UInt8]]) {
        add(UInt64(list.count))
        for bytes in list {
            add(UInt64(bytes.count))
            add(bytes)
        }
    }
}
