/// The fields of a protobuf message, one after the other. A vector tile is read by it rather than by its schema: those
/// of others have values of all kinds, and far more features than are drawn.
struct TileFields {
    enum Content {
        case number(UInt64)
        case message(TileFields)
        /// The bits of a number of four or eight bytes.
        case four(UInt32)
        case eight(UInt64)
    }

    private static let damage = TileDamage(description: "it is no message of protobuf")

    private let bytes: [UInt8]
    private var at: Int
    private let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, 0, bytes.count) }

    private init(_ bytes: [UInt8], _ at: Int, _ end: Int) {
        (self.bytes, self.at, self.end) = (bytes, at, end)
    }

    var isEmpty: Bool { at >= end }

    /// All of it, as a text.
    var text: String { String(decoding: bytes[at..<end], as: UTF8.self) }

    /// The next field with its number; nil behind the last one.
    mutating func next() throws(TileDamage) -> (field: UInt64, content: Content)? {
        guard !isEmpty else { return nil }
        let head = try number()
        switch head & 7 {
        case 0: return (head >> 3, .number(try number()))
        case 1: return (head >> 3, .eight(try bits(8)))
        case 2:
            let count = try number()
            guard count <= UInt64(end - at) else { throw Self.damage }
            defer { at += Int(count) }
            return (head >> 3, .message(TileFields(bytes, at, at + Int(count))))
        case 5: return (head >> 3, .four(UInt32(truncatingIfNeeded: try bits(4))))
        default: throw Self.damage
        }
    }

    /// The next of numbers that stand one after the other.
    mutating func number() throws(TileDamage) -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while at < end, shift < 64 {
            let byte = bytes[at]
            at += 1
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw Self.damage
    }

    private mutating func bits(_ count: Int) throws(TileDamage) -> UInt64 {
        guard count <= end - at else { throw Self.damage }
        defer { at += count }
        return bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
