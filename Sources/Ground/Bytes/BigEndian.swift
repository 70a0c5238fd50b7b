/// Numbers as bytes, the highest first.
package enum BigEndian {
    package static func bytes(_ number: UInt64) -> [UInt8] {
        stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The number that up to eight bytes are.
    package static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
