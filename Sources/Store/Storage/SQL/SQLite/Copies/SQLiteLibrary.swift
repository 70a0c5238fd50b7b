internal import CSQLite

/// The SQLite that this program uses: the system's.
package enum SQLiteLibrary {
    /// "3.40.1"
    package static var version: String { unsafe String(cString: sqlite3_libversion()) }

    /// Whether two connections that checkpoint at the same time can lose a part of a log
    /// (https://sqlite.org/wal.html, "the WAL-reset bug").
    package static var hasResetFault: Bool { sqlite3_libversion_number() < 3_051_003 }
}
