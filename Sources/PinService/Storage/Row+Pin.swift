import ServiceRuntime
import Storage

extension Pin {
    /// Reads the columns id, name, is_named, latitude_e7, longitude_e7, radius_m, state, generation, created_ms.
    init(_ row: borrowing Row) throws(SQLError) {
        let stored = try row.integer(6)
        guard let state = PinState(rawValue: stored) else {
            throw SQLError(.corrupt, "a stored pin has the state \(stored), 1 to 4 are known")
        }
        self.init(
            id: try row.pinID(0), name: try row.text(1), isNamed: try row.bool(2), position: try row.coordinate(3),
            radiusMetres: try row.double(5), state: state, generation: try row.integer(7),
            createdMilliseconds: try row.integer(8))
    }
}

extension Row {
    /// An id from a column with its 16 bytes.
    func pinID(_ column: Int) throws(SQLError) -> PinID {
        try withBlob(column) { bytes throws(SQLError) in
            guard bytes.byteCount == 16 else {
                throw SQLError(.corrupt, "a stored pin's id has \(bytes.byteCount) bytes, 16 are needed")
            }
            let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)
            let low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
            return PinID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        }
    }
}

extension PinID: SQLParameter {
    /// A BYTEA of 16 bytes, in the order of the text.
    package var sqlValue: SQLValue {
        .blob(
            [high, low].flatMap { number in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            })
    }
}
