internal import Bytes

/// A row as bytes, the same for both engines: as PostgreSQL's binary COPY has it
/// (https://www.postgresql.org/docs/15/sql-copy.html).
struct MovedRow: Equatable {
    /// What stands before the rows of a COPY: its signature, no flags, no extension.
    static let head: [UInt8] = Array("PGCOPY\n".utf8) + [0xff, 13, 10, 0] + [UInt8](repeating: 0, count: 8)
    /// What stands behind them.
    static let tail: [UInt8] = [0xff, 0xff]

    private(set) var bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// An empty row of so many columns, to which each is added.
    init(columns: Int) {
        bytes = [UInt8(truncatingIfNeeded: columns >> 8), UInt8(truncatingIfNeeded: columns)]
    }

    mutating func addNull() { Self.add(UInt32.max, 4, to: &bytes) }

    mutating func add(_ integer: Int64) {
        Self.add(8, 4, to: &bytes)
        Self.add(UInt64(bitPattern: integer), 8, to: &bytes)
    }

    mutating func add(_ double: Double) { add(Int64(bitPattern: double.bitPattern)) }

    mutating func add(_ isTrue: Bool) {
        Self.add(1, 4, to: &bytes)
        bytes.append(isTrue ? 1 : 0)
    }

    @unsafe
    mutating func add(_ value: UnsafeRawBufferPointer) {
        Self.add(UInt32(value.count), 4, to: &bytes)
        unsafe bytes.append(contentsOf: value)
    }

    private static func add(_ value: some FixedWidthInteger, _ count: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Where the values of its columns are; nil for NULL. Nil where it is not a row of so many.
    func fields(_ count: Int) -> [Range<Int>?]? {
        guard bytes.count >= 2, Int(bytes[0]) << 8 | Int(bytes[1]) == count else { return nil }
        var fields: [Range<Int>?] = []
        fields.reserveCapacity(count)
        var at = 2
        for _ in 0..<count {
            guard at + 4 <= bytes.count else { return nil }
            let length = Int32(truncatingIfNeeded: integer(at..<at + 4))
            at += 4
            guard length >= 0 else {
                fields.append(nil)
                continue
            }
            guard at + Int(length) <= bytes.count else { return nil }
            fields.append(at..<at + Int(length))
            at += Int(length)
        }
        return at == bytes.count ? fields : nil
    }

    /// A number in network order.
    func integer(_ range: Range<Int>) -> Int64 {
        bytes[range].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    /// Whether both say the same: SQLite keeps no sign of a zero.
    func isSame(as other: MovedRow, _ shape: TableShape) -> Bool {
        bytes == other.bytes || withoutSigns(shape).bytes == other.withoutSigns(shape).bytes
    }

    private func withoutSigns(_ shape: TableShape) -> MovedRow {
        var row = self
        guard let fields = fields(shape.columns.count) else { return row }
        for (column, field) in zip(shape.columns, fields) where column.kind == .double {
            if let field, integer(field) == .min { row.bytes[field.lowerBound] = 0 }
        }
        return row
    }

    /// The primary key, for messages.
    func key(_ shape: TableShape) -> String {
        guard let fields = fields(shape.columns.count) else { return "?" }
        let parts = shape.key.compactMap { name -> String? in
            guard let index = shape.columns.firstIndex(where: { $0.name.isSame(as: name) }), let field = fields[index]
            else { return nil }
            switch shape.columns[index].kind {
            case .text: return "\(String(decoding: bytes[field].prefix(100), as: UTF8.self))"
            case .bytes: return "\(field.count) bytes"
            case .integer, .bool: return "\(integer(field))"
            case .double: return "\(Double(bitPattern: UInt64(bitPattern: integer(field))))"
            }
        }
        return parts.joined(separator: ", ")
    }
}
