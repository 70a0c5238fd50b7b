import Storage

extension Transaction {
    /// Why a file could not be used when it was read; nil when it was not, or has changed since.
    func unusableReason(of file: FoundFile) throws(SQLError) -> String? {
        try first(
            "SELECT reason FROM unusable_files WHERE path = ?1 AND modified_ns = ?2 AND byte_count = ?3", file.path,
            file.modifiedNs, file.size
        ) { row throws(SQLError) in try row.text(0) }
    }

    /// Remembers why a file can't be used as it is.
    func putUnusable(_ file: FoundFile, reason: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO unusable_files (path, modified_ns, byte_count, reason) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (path) DO UPDATE SET modified_ns = excluded.modified_ns, byte_count = excluded.byte_count,
                reason = excluded.reason
            """, file.path, file.modifiedNs, file.size, reason)
    }

    func dropUnusable(_ path: String) throws(SQLError) {
        try execute("DELETE FROM unusable_files WHERE path = ?1", path)
    }

    /// The paths of files that could not be used, in order.
    func unusablePaths(after path: String, limit: Int) throws(SQLError) -> [String] {
        try rows("SELECT path FROM unusable_files WHERE path > ?1 ORDER BY path LIMIT ?2", path, limit) {
            row throws(SQLError) in try row.text(0)
        }
    }
}
