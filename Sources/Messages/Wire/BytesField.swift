/// A long bytes field that is read and written in place in a packed message, because copying it once more would cost
/// more than the rest of its message (https://protobuf.dev/programming-guides/encoding):
///
///     … other fields | tag (varint) | length (varint) | value | other fields …
///
/// The other fields are a packed message by themselves: concatenated messages are merged.
package struct BytesField: Sendable {
    private let tag: UInt64

    /// - Parameter number: the field's number, 1 to 536,870,911.
    package init(_ number: UInt32) { tag = PackedFields.bytesTag(number) }

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
            guard let tag = PackedFields.takeVarint(&rest), let field = PackedFields.takeValue(&rest, tag) else {
                return nil
            }
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
            guard let tag = PackedFields.takeVarint(&rest), let field = PackedFields.takeValue(&rest, tag) else {
                return false
            }
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
}
