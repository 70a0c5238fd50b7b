internal import CSQLite

/// One prepared statement, finalized in `deinit`.
@safe
struct Statement: ~Copyable {
    private let handle: OpaquePointer

    /// Takes over a statement that `sqlite3_prepare_v3` made.
    init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe sqlite3_finalize(handle) }

    /// The row of the last `step`; valid until the next `step` or `reset`.
    var row: Row { unsafe Row(SQLiteRow(on: handle)) }

    /// Moves to the next row; returns SQLITE_ROW, SQLITE_DONE or an error.
    func step() -> Int32 { unsafe sqlite3_step(handle) }

    /// Prepares it for its next use and drops the parameters, which may be large. The code that `sqlite3_reset` returns
    /// is the one that `step` already returned.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    /// Binds `parameters` to `?1`, `?2`, … Each must exist and be written with its number: the bare `?` has no
    /// counterpart in PostgreSQL.
    func bind(_ parameters: [(any SQLParameter)?]) throws(SQLError) {
        let count = unsafe Int(sqlite3_bind_parameter_count(handle))
        guard count == parameters.count else {
            throw misuse("takes \(count) parameters and got \(parameters.count)")
        }
        for (offset, parameter) in parameters.enumerated() {
            try bind(parameter?.sqlValue ?? .null, at: Int32(offset + 1))
        }
    }

    /// Checks what preparing doesn't: that placeholders are numbered, and that none is missing.
    func requireNumberedPlaceholders() throws(SQLError) {
        for index in 0..<(unsafe sqlite3_bind_parameter_count(handle)) {
            let name = unsafe sqlite3_bind_parameter_name(handle, index + 1).map { unsafe String(cString: $0) }
            guard name == "?\(index + 1)" else {
                throw misuse("must write its parameter \(index + 1) as ?\(index + 1)")
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(SQLError) {
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
            case .bool(let isTrue): unsafe sqlite3_bind_int64(handle, index, isTrue ? 1 : 0)
            case .double(let number): try bind(number, at: index)
            case .text(let text): bind(text, at: index)
            case .blob(let bytes):
                unsafe bytes.withUnsafeBytes {
                    unsafe waymark_sqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
                }
            }
        guard code == SQLITE_OK else { throw misuse("can't take its parameter \(index): \(Failure.name(of: code))") }
    }

    private func bind(_ number: Double, at index: Int32) throws(SQLError) -> Int32 {
        guard !number.isNaN else { throw misuse("got NaN for its parameter \(index): only numbers can be stored") }
        return unsafe sqlite3_bind_double(handle, index, number)
    }

    private func bind(_ text: consuming String, at index: Int32) -> Int32 {
        text.withUTF8 { utf8 in
            // A null pointer means NULL to SQLite, also for text, and an empty buffer may have no address.
            guard let start = utf8.baseAddress else { return unsafe waymark_sqlite_bind_text(handle, index, "", 0) }
            return unsafe waymark_sqlite_bind_text(handle, index, start, UInt64(utf8.count))
        }
    }

    private func misuse(_ problem: String) -> SQLError {
        let sql = unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? ""
        return SQLError(.misuse, "the statement \"\(sql)\" \(problem)")
    }
}
