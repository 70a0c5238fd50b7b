internal import CSQLite

/// The row on which a statement is. Valid until the next `step` or `reset` of the statement.
@safe
struct SQLiteRow: RowSource {
    private let statement: OpaquePointer

    /// The statement must be on a row and outlive this value; `Statement.row` ensures both.
    init(on statement: OpaquePointer) { unsafe self.statement = statement }

    var columnCount: Int { unsafe Int(sqlite3_column_count(statement)) }

    func name(of column: Int) -> String? {
        unsafe sqlite3_column_name(statement, Int32(column)).map { unsafe String(cString: $0) }
    }

    func kind(of column: Int) -> ColumnKind {
        switch unsafe sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .double
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .bytes
        default: .null
        }
    }

    func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(statement, Int32(column)) }

    func double(_ column: Int) -> Double { unsafe sqlite3_column_double(statement, Int32(column)) }

    @unsafe
    func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        // The order matters: the pointer first, because reading it may convert the value and so change its length. As a
        // blob, text is given as it is stored, in UTF-8.
        let start = unsafe sqlite3_column_blob(statement, Int32(column))
        let count = unsafe Int(sqlite3_column_bytes(statement, Int32(column)))
        // SQLite gives a null pointer for an empty blob, and so does an empty buffer.
        return unsafe UnsafeRawBufferPointer(start: start, count: count)
    }
}
