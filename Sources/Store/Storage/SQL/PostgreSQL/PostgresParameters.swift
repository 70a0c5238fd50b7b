internal import CPQ

/// The type in which a parameter is sent, by PostgreSQL's number for it (pg_type.oid, which never changes for these).
enum PostgresType {
    static let bool: Oid = 16
    static let bytes: Oid = 17
    static let bigInteger: Oid = 20
    static let smallInteger: Oid = 21
    static let integer: Oid = 23
    static let text: Oid = 25
    static let double: Oid = 701
    static let unknown: Oid = 705
    static let character: Oid = 1_043

    /// The type of a parameter; 0, by which the server finds it itself, for NULL.
    static func of(_ value: SQLValue) -> Oid {
        switch value {
        case .null: 0
        case .integer: bigInteger
        case .double: double
        case .text: text
        case .blob: bytes
        case .bool: bool
        }
    }
}

/// The parameters of one statement in binary form, one after the other.
struct PostgresParameters {
    let types: [Oid]
    private var bytes: [UInt8] = []
    /// Nil for NULL.
    private var ranges: [Range<Int>?] = []

    init(_ parameters: [(any SQLParameter)?]) throws(SQLError) {
        let values = parameters.map { $0?.sqlValue ?? .null }
        types = values.map(PostgresType.of)
        for (offset, value) in values.enumerated() {
            let start = bytes.count
            try add(value, number: offset + 1)
            ranges.append(value == .null ? nil : start..<bytes.count)
        }
        // An address is needed for an empty value, too: without one it would be NULL.
        bytes.append(0)
    }

    private mutating func add(_ value: SQLValue, number: Int) throws(SQLError) {
        switch value {
        case .null: break
        case .integer(let integer): add(UInt64(bitPattern: integer))
        case .double(let double):
            guard !double.isNaN else {
                throw SQLError(.misuse, "a statement got NaN for its parameter \(number): only numbers can be stored")
            }
            add(double.bitPattern)
        case .text(let text): bytes += Array(text.utf8)
        case .blob(let blob): bytes += blob
        case .bool(let isTrue): bytes.append(isTrue ? 1 : 0)
        }
    }

    /// In network order.
    private mutating func add(_ word: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    /// Lends the lists that libpq takes: addresses, lengths and formats.
    @unsafe
    func withLists<Value>(
        _ body: (
            _ addresses: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: ranges.count)
        return unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let addresses = unsafe ranges.map { range in
                unsafe range.flatMap { range in unsafe start.map { unsafe $0 + range.lowerBound } }
            }
            return unsafe addresses.withUnsafeBufferPointer { addresses in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(addresses.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
