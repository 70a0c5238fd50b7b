internal import CSQLite

/// An open SQLite database, closed in `deinit`.
@safe
struct SQLiteHandle: ~Copyable {
    /// Runs once per process, before the first connection.
    private static let isPrepared: Bool = waymark_sqlite_disable_allocation_statistics() == SQLITE_OK

    private let handle: OpaquePointer
    /// The object that SQLite calls back. It is kept here, because it has to outlive the close: properties are released
    /// only after the body of `deinit`.
    let hooks: ConnectionHooks

    /// Opens the file at `path`, creating it if `creates`. NOMUTEX: one thread at a time uses a connection, so SQLite's
    /// own lock per call would only cost time.
    init(path: String, creates: Bool, hooks: ConnectionHooks) throws(SQLError) {
        _ = Self.isPrepared
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let cause = unsafe opened.map { unsafe Self.message($0) } ?? Failure.name(of: code)
            unsafe sqlite3_close_v2(opened)  // A failed open leaves a handle to close, too.
            throw Failure.error(code, path: path, cause: cause)
        }
        unsafe handle = opened
        self.hooks = hooks
        unsafe hooks.install(on: opened)
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Lends the raw database.
    @unsafe
    func withHandle<Value: ~Copyable, Failure>(
        _ body: (OpaquePointer) throws(Failure) -> Value
    ) throws(Failure) -> Value { try unsafe body(handle) }

    /// False before BEGIN, after COMMIT, and after an error so severe that SQLite has rolled back by itself.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// SQLite's message about the last call that failed.
    var lastMessage: String { unsafe Self.message(handle) }

    /// Rows changed by the last statement that changed any, and by all of them since the start.
    var changes: (last: Int64, total: Int64) {
        unsafe (sqlite3_changes64(handle), sqlite3_total_changes64(handle))
    }

    @unsafe
    private static func message(_ database: OpaquePointer) -> String {
        unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? "no message"
    }
}
