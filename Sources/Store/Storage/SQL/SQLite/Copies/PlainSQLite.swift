internal import CSQLite

/// A connection to a SQLite file whose tables are not known here: for copies, and for what is asked of any database.
/// Not Sendable; all of it blocks.
///
/// It never checkpoints, not even when it is the last one to close. SQLite before 3.51.3 can lose a part of its log if
/// two connections checkpoint at the same time (https://sqlite.org/wal.html, "the WAL-reset bug"), and the service that
/// has the file open does.
@safe
final class PlainSQLite {
    let path: String
    private let handle: OpaquePointer

    /// - Parameter isNew: whether the file is made; else it has to be there.
    init(_ path: String, isNew: Bool = false) throws(SQLError) {
        self.path = path
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | (isNew ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw Failure.error(code, path: path, cause: Failure.name(of: code))
        }
        unsafe handle = opened
        // From here on deinit closes it, also when this throws.
        unsafe sqlite3_busy_timeout(opened, 5_000)
        unsafe _ = waymark_sqlite_set_option(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        unsafe _ = sqlite3_wal_autocheckpoint(opened, 0)
        unsafe _ = waymark_sqlite_set_option(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs one statement, and gives its rows as text; "" for NULL.
    @discardableResult
    func run(_ sql: String, limit: Int = .max) throws(SQLError) -> [[String]] {
        let prepared = try unsafe prepare(sql)
        defer { unsafe sqlite3_finalize(prepared) }
        var rows: [[String]] = []
        while rows.count < limit {
            let code = unsafe sqlite3_step(prepared)
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw failure(code) }
            rows.append(
                (0..<(unsafe sqlite3_column_count(prepared))).map { column in
                    unsafe sqlite3_column_text(prepared, column).map { unsafe String(cString: $0) } ?? ""
                })
        }
        return rows
    }

    /// A statement, which its owner frees.
    @unsafe
    func prepare(_ sql: String) throws(SQLError) -> OpaquePointer {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
        return unsafe prepared
    }

    /// Copies all pages of another one into this one, in which nothing is yet: as that one's transaction sees them.
    /// - Parameter progress: called now and then with how many pages are copied; false ends it.
    func copy(_ source: PlainSQLite, progress: (Int) -> Bool) throws(SQLError) {
        guard let copying = unsafe sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw failure(unsafe sqlite3_extended_errcode(handle))
        }
        var code = SQLITE_OK
        var goesOn = true
        while code == SQLITE_OK, goesOn {
            code = unsafe sqlite3_backup_step(copying, 1_024)
            goesOn = progress(unsafe Int(sqlite3_backup_pagecount(copying) - sqlite3_backup_remaining(copying)))
        }
        let end = unsafe sqlite3_backup_finish(copying)
        guard goesOn else { throw SQLError(.cancelled, "copying \(source.path) was cancelled") }
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw failure(code == SQLITE_DONE ? end : code) }
    }

    /// The files behind the connection, once it has read something. They are not to be used after it.
    var files: LogFiles { unsafe LogFiles(handle, path: path) }

    /// Blocks for so long.
    static func rest(milliseconds: Int32) { sqlite3_sleep(milliseconds) }

    func failure(_ code: Int32) -> SQLError {
        let cause = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? Failure.name(of: code)
        return Failure.error(code, path: path, cause: cause)
    }
}
