/// FNV-1a with 64 bits (RFC 9923): the same on every machine and in every run. No protection against
/// an attacker who looks for collisions.
package struct StableHash: Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    // Not one generic function: in other modules it would not be specialized.

    package mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
    }

    package mutating func add(_ text: String.UTF8View) {
        for byte in text { add(byte) }
    }

    /// Adds the eight bytes of a number, lowest first.
    package mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Adds a list so that no two different lists look alike.
    package mutating func add(list: [[UInt8]]) {
        add(UInt64(list.count))
        for bytes in list {
            add(UInt64(bytes.count))
            add(bytes)
        }
    }
}
