internal import CSQLite

/// Maps SQLite's result codes (https://sqlite.org/rescode.html) to our closed list.
enum Failure {
    /// The error for an extended result code, with a message about the database at `path`.
    static func error(_ code: Int32, path: String, cause: String) -> SQLError {
        if let constraint = constraint(code) {
            return SQLError(.constraint(constraint), "a rule of the database was broken: \(cause)", cause: cause)
        }
        let (kind, advice) = judge(code)
        return SQLError(kind, "database \(path): \(advice)", cause: "\(cause), \(name(of: code))")
    }

    /// SQLite's own words for a code, with its number.
    static func name(of code: Int32) -> String {
        let words = unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) } ?? "unknown"
        return "\(words), code \(code)"
    }

    private static func constraint(_ code: Int32) -> SQLError.Constraint? {
        switch code {
        case 2067, 1555, 2579: .unique  // SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY, _ROWID
        case 787: .foreignKey  // SQLITE_CONSTRAINT_FOREIGNKEY
        case 1299: .notNull  // SQLITE_CONSTRAINT_NOTNULL
        case 275: .check  // SQLITE_CONSTRAINT_CHECK
        default: nil
        }
    }

    /// The low eight bits are the primary result code.
    private static func judge(_ code: Int32) -> (SQLError.Code, String) {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            (.locked, "another process has locked it; stop that one or try again")
        case SQLITE_FULL: (.full, "the disk or the allowed size is full; free space and try again")
        case SQLITE_CORRUPT: (.corrupt, "the file is damaged; restore it from a backup")
        case SQLITE_NOTADB: (.notADatabase, "the file is not a database; give the path of another")
        case SQLITE_READONLY: (.readOnly, "it can only be read; check its permissions, or write in a write transaction")
        case SQLITE_CANTOPEN, SQLITE_PERM:
            (.cannotOpen, "it can't be opened; the path must be a file in a directory where this user may write")
        case SQLITE_IOERR: (.io, "the disk failed; check the system's log")
        case SQLITE_NOMEM: (.outOfMemory, "memory ran out")
        case SQLITE_INTERRUPT, SQLITE_ABORT: (.cancelled, "the work was stopped")
        case SQLITE_AUTH: (.misuse, "BEGIN, COMMIT, SAVEPOINT, PRAGMA and ATTACH belong to the storage itself")
        default: (.misuse, "a statement is wrong")
        }
    }
}
