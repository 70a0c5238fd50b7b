/// Writes CBOR (RFC 8949).
package enum CBORText {
    package static func number(_ value: Int) -> [UInt8] { value < 0 ? head(1, -1 - value) : head(0, value) }
    package static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }
    package static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }
    package static func array(_ elements: [[UInt8]]) -> [UInt8] { head(4, elements.count) + elements.flatMap { $0 } }

    /// Of names and values that are written already, in their order.
    package static func map(_ members: [([UInt8], [UInt8])]) -> [UInt8] {
        head(5, members.count) + members.flatMap { $0.0 + $0.1 }
    }

    private static func head(_ kind: UInt8, _ value: Int) -> [UInt8] {
        func bytes(_ count: Int) -> [UInt8] {
            stride(from: (count - 1) * 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return switch value {
        case ..<24: [kind << 5 | UInt8(value)]
        case ..<0x100: [kind << 5 | 24] + bytes(1)
        case ..<0x10000: [kind << 5 | 25] + bytes(2)
        default: [kind << 5 | 26] + bytes(4)
        }
    }
}
