internal import CSQLite

extension SQLiteConnection {
    /// Configures a new connection as everything above expects.
    func configure(_ settings: DatabaseSettings) throws(SQLError) {
        try setOptions()
        hooks.allowsControl = true
        defer { hooks.allowsControl = false }
        try pragma("foreign_keys = ON")
        try setCache(keepingPages: true)
        try pragma("temp_store = MEMORY")
        switch role {
        case .reader: try pragma("query_only = ON")
        case .writer: try configureWriter(settings)
        }
    }

    private func configureWriter(_ settings: DatabaseSettings) throws(SQLError) {
        // Readers continue while the writer writes.
        guard try pragma("journal_mode = WAL") == "wal" else {
            throw SQLError(.cannotOpen, "database \(path): its file system can't share memory; use a local one")
        }
        // FULL flushes the log to the disk before each COMMIT returns. With NORMAL a power cut could undo transactions
        // whose callers were already notified that they are stored.
        try pragma("synchronous = FULL")
        try pragma("journal_size_limit = 67108864")
        // Checkpoints run between groups (`checkpointIfDue`), when no caller waits for them.
        unsafe handle.withHandle { unsafe _ = sqlite3_wal_autocheckpoint($0, 0) }
        unsafe handle.withHandle { unsafe hooks.install(on: $0) }  // The line above replaced the log hook.
        if let bytes = settings.maximumBytes { try limitSize(bytes) }
    }

    private func limitSize(_ bytes: Int64) throws(SQLError) {
        let pageBytes = try pragma("page_size").flatMap { Int64($0) } ?? 4_096
        try pragma("max_page_count = \(max(1, bytes / pageBytes))")
    }

    func keepPages(_ keeps: Bool) throws(SQLError) {
        hooks.allowsControl = true
        defer { hooks.allowsControl = false }
        try setCache(keepingPages: keeps)
    }

    /// In KiB, per connection.
    private func setCache(keepingPages: Bool) throws(SQLError) {
        try pragma("cache_size = -\(keepingPages ? 16_000 : 256)")
    }

    /// Turns off SQLite's leniencies that PostgreSQL lacks, and features that damaged schemas could misuse.
    private func setOptions() throws(SQLError) {
        let options: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        ]
        for (option, isOn) in options {
            let code = unsafe handle.withHandle { unsafe waymark_sqlite_set_option($0, option, isOn) }
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    /// Sets or reads a setting of the connection and returns its resulting value.
    @discardableResult
    func pragma(_ setting: String) throws(SQLError) -> String? {
        var prepared: OpaquePointer?
        let code = unsafe handle.withHandle { unsafe sqlite3_prepare_v2($0, "PRAGMA \(setting)", -1, &prepared, nil) }
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
        let statement = unsafe Statement(owning: prepared)
        guard try advance(statement) else { return nil }
        return unsafe sqlite3_column_text(prepared, 0).map { unsafe String(cString: $0) }
    }
}
