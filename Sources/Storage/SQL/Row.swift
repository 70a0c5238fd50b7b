internal import CSQLite

/// One row of a result, lent to a closure. Columns count from 0. Types are strict: a column of another type, or
/// NULL where a value is asked for, throws `wrongType` and names the column.
@safe
package struct Row: ~Copyable {
    private let statement: OpaquePointer

    /// The statement must be on a row and outlive this value; `Statement.row` ensures both.
    init(on statement: OpaquePointer) { unsafe self.statement = statement }

    /// A BIGINT.
    package func integer(_ column: Int) throws(SQLError) -> Int64 {
        try require(SQLITE_INTEGER, column, "an integer")
        return unsafe sqlite3_column_int64(statement, Int32(column))
    }

    /// A DOUBLE PRECISION.
    package func double(_ column: Int) throws(SQLError) -> Double {
        try require(SQLITE_FLOAT, column, "a double")
        return unsafe sqlite3_column_double(statement, Int32(column))
    }

    /// A BOOLEAN, which SQLite keeps as 0 or 1.
    package func bool(_ column: Int) throws(SQLError) -> Bool {
        let value = try integer(column)
        guard value == 0 || value == 1 else {
            throw wrongType(column, "holds \(value) where a boolean, 0 or 1, was expected")
        }
        return value == 1
    }

    /// A TEXT, checked to be UTF-8.
    package func text(_ column: Int) throws(SQLError) -> String {
        try require(SQLITE_TEXT, column, "text")
        // The order matters: the pointer first, because reading it may convert the value and so change its length.
        let start = unsafe sqlite3_column_text(statement, Int32(column))
        let count = unsafe Int(sqlite3_column_bytes(statement, Int32(column)))
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
            throw wrongType(column, "holds text that is not UTF-8")
        }
        return text
    }

    /// A BYTEA.
    package func blob(_ column: Int) throws(SQLError) -> [UInt8] {
        let bytes = try unsafe storedBytes(column)
        return unsafe Array(bytes)
    }

    /// Lends a BYTEA without copying it.
    package func withBlob<Value>(
        _ column: Int, _ body: (RawSpan) throws(SQLError) -> Value
    ) throws(SQLError) -> Value {
        let bytes = try unsafe storedBytes(column)
        return try unsafe body(bytes.bytes)
    }

    /// A BIGINT, or nil for NULL.
    package func optionalInteger(_ column: Int) throws(SQLError) -> Int64? {
        try isNull(column) ? nil : try integer(column)
    }

    /// A DOUBLE PRECISION, or nil for NULL.
    package func optionalDouble(_ column: Int) throws(SQLError) -> Double? {
        try isNull(column) ? nil : try double(column)
    }

    /// A BYTEA, or nil for NULL.
    package func optionalBlob(_ column: Int) throws(SQLError) -> [UInt8]? {
        try isNull(column) ? nil : try blob(column)
    }

    /// Whether the column is NULL.
    package func isNull(_ column: Int) throws(SQLError) -> Bool { try type(column) == SQLITE_NULL }

    private func storedBytes(_ column: Int) throws(SQLError) -> UnsafeRawBufferPointer {
        try require(SQLITE_BLOB, column, "bytes")
        let start = unsafe sqlite3_column_blob(statement, Int32(column))
        let count = unsafe Int(sqlite3_column_bytes(statement, Int32(column)))
        // SQLite gives a null pointer for an empty blob, and so does an empty buffer.
        return unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    private func type(_ column: Int) throws(SQLError) -> Int32 {
        let count = unsafe Int(sqlite3_column_count(statement))
        guard column >= 0, column < count else {
            throw SQLError(.misuse, "column \(column) was read of a row that has columns 0 to \(count - 1)")
        }
        return unsafe sqlite3_column_type(statement, Int32(column))
    }

    private func require(_ wanted: Int32, _ column: Int, _ expected: String) throws(SQLError) {
        let found = try type(column)
        guard found == wanted else {
            throw wrongType(column, "holds \(Self.name(of: found)) where \(expected) was expected")
        }
    }

    private func wrongType(_ column: Int, _ problem: String) -> SQLError {
        let name = unsafe sqlite3_column_name(statement, Int32(column)).map { unsafe String(cString: $0) }
        return SQLError(.wrongType, "column \(column) (\(name ?? "unnamed")) \(problem)")
    }

    private static func name(of type: Int32) -> String {
        switch type {
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a double"
        case SQLITE_TEXT: "text"
        case SQLITE_BLOB: "bytes"
        default: "NULL"
        }
    }
}
