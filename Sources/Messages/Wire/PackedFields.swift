/// The fields of a packed message, read one after the other where they stand, without unpacking the message
/// (https://protobuf.dev/programming-guides/encoding).
package enum PackedFields {
    /// The tag of a field that has bytes: a text, a message, several packed numbers.
    package static func bytesTag(_ number: UInt32) -> UInt64 { UInt64(number) << 3 | WireType.lengthDelimited.rawValue }
    /// The tag of a `double`.
    package static func doubleTag(_ number: UInt32) -> UInt64 { UInt64(number) << 3 | WireType.fixed64.rawValue }

    /// Gives each field's tag and its value, without the length. Of a varint there is no value.
    /// - Returns: whether the bytes are a message. Fields before the place where they cease to be one were given.
    package static func forEach(in packed: ArraySlice<UInt8>, _ body: (UInt64, ArraySlice<UInt8>) -> Void) -> Bool {
        var rest = packed
        while !rest.isEmpty {
            guard let tag = takeVarint(&rest), let value = takeValue(&rest, tag) else { return false }
            body(tag, value)
        }
        return true
    }

    /// Where bytes are whose length is at an index of a packed message; nil when they are not all there.
    package static func range(after index: Int, in packed: [UInt8]) -> Range<Int>? {
        var (length, at) = (0, index)
        for shift in stride(from: 0, to: 35, by: 7) {
            guard at < packed.count else { return nil }
            let byte = packed[at]
            at += 1
            length |= Int(byte & 0x7f) << shift
            if byte < 0x80 { return length <= packed.count - at ? at..<(at + length) : nil }
        }
        return nil
    }

    /// The value of a `double`; nil for other than eight bytes.
    package static func double(_ value: ArraySlice<UInt8>) -> Double? {
        guard value.count == 8 else { return nil }
        return Double(bitPattern: value.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Varint, fixed 64 bits, bytes with their length, fixed 32 bits.
    private enum WireType: UInt64 { case varint = 0, fixed64 = 1, lengthDelimited = 2, fixed32 = 5 }

    static func takeValue(_ bytes: inout ArraySlice<UInt8>, _ tag: UInt64) -> ArraySlice<UInt8>? {
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

    static func takeVarint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
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
