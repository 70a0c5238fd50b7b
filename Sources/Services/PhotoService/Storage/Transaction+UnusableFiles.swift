import Storage
import Stores

extension Transaction {
    /// Why a file could not be used when it was read; nil when it could, has changed since, or was a copy of one that
    /// is there no more.
    func unusableReason(of file: FoundFile, in walk: FolderList? = nil) throws(SQLError) -> String? {
        let found = try first(
            "SELECT reason, copy_of FROM unusable_files WHERE path = ?1 AND modified_ns = ?2 AND byte_count = ?3",
            file.path, file.modifiedNs, file.size
        ) { row throws(SQLError) in (reason: try row.text(0), original: try row.text(1)) }
        guard let found else { return nil }
        if let walk, !found.original.isEmpty, !walk.mayHave(found.original) { return nil }
        return found.reason
    }

    /// Records why a file can't be used in its current state.
    func putUnusable(_ file: FoundFile, reason: String, copyOf original: String = "") throws(SQLError) {
        let earlier = try self.original(ofCopy: file.path)
        try execute(
            """
            INSERT INTO unusable_files (path, modified_ns, byte_count, reason, copy_of) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (path) DO UPDATE SET modified_ns = excluded.modified_ns, byte_count = excluded.byte_count,
                reason = excluded.reason, copy_of = excluded.copy_of
            """, file.path, file.modifiedNs, file.size, reason, original)
        for path in Set([earlier, original]) where !path.isEmpty { try listCopies(of: path) }
    }

    func dropUnusable(_ path: String) throws(SQLError) {
        let original = try original(ofCopy: path)
        try execute("DELETE FROM unusable_files WHERE path = ?1", path)
        if !original.isEmpty { try listCopies(of: original) }
    }

    /// What is left out and why, by the paths.
    func unusableFiles(after path: String, limit: Int) throws(SQLError) -> [ScanProgress.Skipped] {
        try rows("SELECT path, reason FROM unusable_files WHERE path > ?1 ORDER BY path LIMIT ?2", path, limit) {
            row throws(SQLError) in ScanProgress.Skipped(path: try row.text(0), reason: try row.text(1))
        }
    }

    func unusableCount() throws(SQLError) -> Int64 {
        try first("SELECT count(*) FROM unusable_files") { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    /// The paths of files that could not be used, in order.
    func unusablePaths(after path: String, limit: Int) throws(SQLError) -> [String] {
        try rows("SELECT path FROM unusable_files WHERE path > ?1 ORDER BY path LIMIT ?2", path, limit) {
            row throws(SQLError) in try row.text(0)
        }
    }
}
