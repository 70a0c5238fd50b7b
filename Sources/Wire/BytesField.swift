/// A long bytes field that is read and written in place in a packed message, because copying it once more would cost
/// more than the rest of its message (https://protobuf.dev/programming-guides/encoding):
///
///     … other fields | tag (varint) | length (varint) | value | other fields …
///
/// The other fields are a packed message by themselves: concatenated messages are merged.
package struct BytesField: Sendable {
    /// Varint, fixed 64 bits, bytes with their length, fixed 32 bits.
    private enum WireType: UInt64 { case varint = 0, fixed64 = 1, lengthDelimited = 2, fixed32 = 5 }

    private let tag: UInt64

    /// - Parameter number: the field's number, 1 to 536,870,911.
    package init(_ number: UInt32) { tag = UInt64(number) << 3 | WireType.lengthDelimited.rawValue }

    /// Appends what precedes a value of `byteCount` bytes.
    package func appendHead(_ byteCount: Int, to bytes: inout [UInt8]) {
        Self.append(tag, to: &bytes)
        Self.append(UInt64(byteCount), to: &bytes)
    }

    /// The field's value in a packed message, and all other fields. Nil when it does not occur exactly once, or the
    /// bytes are not a message: unpacking them shows that.
    package func split(_ packed: [UInt8]) -> (value: ArraySlice<UInt8>, others: [UInt8])? {
        var rest = packed[...]
        var value: ArraySlice<UInt8>?
        var others: [UInt8] = []
        while !rest.isEmpty {
            let start = rest.startIndex
            guard let tag = Self.takeVarint(&rest), let field = Self.takeValue(&rest, tag) else { return nil }
            if tag != self.tag {
                others += packed[start..<rest.startIndex]
            } else if value == nil {
                value = field
            } else {
                return nil
            }
        }
        return value.map { ($0, others) }
    }

    /// Whether the field has at least one byte in a packed message; false when the bytes are not a message.
    package func isSet(in packed: [UInt8]) -> Bool {
        var (rest, isSet) = (packed[...], false)
        while !rest.isEmpty {
            guard let tag = Self.takeVarint(&rest), let field = Self.takeValue(&rest, tag) else { return false }
            if tag == self.tag, !field.isEmpty { isSet = true }
        }
        return isSet
    }

    private static func append(_ varint: UInt64, to bytes: inout [UInt8]) {
        var rest = varint
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func takeValue(_ bytes: inout ArraySlice<UInt8>, _ tag: UInt64) -> ArraySlice<UInt8>? {
        switch WireType(rawValue: tag & 7) {
        case .varint: takeVarint(&bytes).map { _ in [] }
        case .fixed64: take(8, &bytes)
        case .fixed32: take(4, &bytes)
        case .lengthDelimited: takeVarint(&bytes).flatMap { take($0, &bytes) }
        case nil: nil
        }
    }

    private static func take(_ count: UInt64, _ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard count <= bytes.count else { return nil }
        let taken = bytes.prefix(Int(count))
        bytes.removeFirst(taken.count)
        return taken
    }

    private static func takeVarint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for (shift, byte) in zip(stride(from: UInt64(0), to: 64, by: 7), bytes) {
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 {
                bytes.removeFirst(Int(shift / 7) + 1)
                return number
            }
        }
        return nil
    }
}
