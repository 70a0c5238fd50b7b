/// How deep messages are declared in each other, in a packed google.protobuf.FileDescriptorSet. protobuf-c unpacks them
/// by recursion, so one from another program has to be looked at before: a stack has an end.
enum DescriptorNesting {
    /// Deeper than any real schema.
    static let deepest = 32

    /// Numbers of the fields that hold declarations: `file`, `message_type`, then `nested_type` as often as there are.
    private static let fields: [UInt64] = [1, 4, 3]

    /// Whether no message lies deeper. Bytes that are nothing of the kind pass: unpacking refuses them.
    static func isBounded(_ bytes: UnsafeRawBufferPointer, level: Int = 0) -> Bool {
        let number = fields[min(level, fields.count - 1)]
        var rest = unsafe Reader(bytes: bytes)
        while let (found, value) = rest.next() {
            guard found == number, let value else { continue }
            let inner = unsafe UnsafeRawBufferPointer(rebasing: bytes[value])
            guard level < deepest + 2, unsafe isBounded(inner, level: level + 1) else { return false }
        }
        return true
    }

    /// Reads fields one after the other (https://protobuf.dev/programming-guides/encoding).
    @safe
    private struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private var position = 0

        init(bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

        /// A field's number, and where its bytes are when it has a length; nil at the end, or where they make no sense.
        mutating func next() -> (number: UInt64, value: Range<Int>?)? {
            guard let tag = varint() else { return nil }
            switch tag & 7 {
            case 0: return varint().map { _ in (tag >> 3, nil) }
            case 1: return skip(8).map { _ in (tag >> 3, nil) }
            case 2: return varint().flatMap { Int(exactly: $0) }.flatMap { skip($0) }.map { (tag >> 3, $0) }
            case 5: return skip(4).map { _ in (tag >> 3, nil) }
            default: return nil
            }
        }

        /// Passes over so many bytes; gives where they are.
        private mutating func skip(_ count: Int) -> Range<Int>? {
            guard unsafe count <= bytes.count - position else { return nil }
            defer { position += count }
            return position..<position + count
        }

        private mutating func varint() -> UInt64? {
            var number: UInt64 = 0
            for shift in stride(from: 0, to: 64, by: 7) {
                guard unsafe position < bytes.count else { return nil }
                let byte = unsafe bytes[position]
                position += 1
                number |= UInt64(byte & 0x7f) << UInt64(shift)
                if byte < 0x80 { return number }
            }
            return nil
        }
    }
}
