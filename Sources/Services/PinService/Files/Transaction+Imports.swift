import PinContracts
import Geo
import Storage
import Stores

// Rows of imports.

extension Transaction {
    func insert(_ new: PinImport) throws(SQLError) {
        try execute(
            """
            INSERT INTO pin_imports (id, account, file_name, byte_count, received_bytes, state, created_ms, used_ms,
                pins, bad, passed, shortened, done, added, removed)
            VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?6, 0, 0, 0, 0, 0, 0, 0)
            """, new.id, new.account, new.fileName, new.byteCount, new.state.rawValue, new.createdMilliseconds)
    }

    func update(_ it: PinImport, at time: Int64) throws(SQLError) {
        try execute(
            """
            UPDATE pin_imports SET received_bytes = ?2, state = ?3, pins = ?4, bad = ?5, passed = ?6, shortened = ?7,
                done = ?8, added = ?9, removed = ?10, used_ms = ?11, lists = ?12, left_out_lists = ?13, unplaced = ?14,
                tracks = ?15, added_tracks = ?16, removed_tracks = ?17
            WHERE id = ?1
            """, it.id, it.receivedBytes, it.state.rawValue, it.counts.pins, it.counts.bad, it.counts.passed,
            it.counts.shortened, it.doneCount, it.addedCount, it.removedCount, time, it.counts.lists,
            it.counts.leftOutLists, it.counts.unplaced, it.counts.tracks, it.addedTracks,
            it.removedTracks)
    }

    /// An import of an account; nil when the account has none with that id.
    func pinImport(_ id: String, of account: String) throws(SQLError) -> PinImport? {
        try first(
            """
            SELECT id, account, file_name, byte_count, received_bytes, state, created_ms, pins, bad, passed, shortened,
                done, added, removed, lists, left_out_lists, unplaced, tracks, added_tracks, removed_tracks
            FROM pin_imports WHERE id = ?1 AND account = ?2
            """, id, account
        ) { row throws(SQLError) in try PinImport(row) }
    }

    /// Those of an account, the newest first.
    func pinImports(of account: String) throws(SQLError) -> [PinImport] {
        try rows(
            """
            SELECT id, account, file_name, byte_count, received_bytes, state, created_ms, pins, bad, passed, shortened,
                done, added, removed, lists, left_out_lists, unplaced, tracks, added_tracks, removed_tracks
            FROM pin_imports WHERE account = ?1 ORDER BY created_ms DESC, id DESC LIMIT ?2
            """, account, PinImport.maximumListed
        ) { row throws(SQLError) in try PinImport(row) }
    }

    /// How many files of an account were not read yet.
    func sentImports(of account: String) throws(SQLError) -> Int {
        let count = try first(
            "SELECT count(*) FROM pin_imports WHERE account = ?1 AND state = ?2", account,
            PinImport.State.sent.rawValue
        ) { row throws(SQLError) in try row.integer(0) }
        return Int(count ?? 0)
    }

    func addPart(_ data: [UInt8], to id: String, at start: Int64) throws(SQLError) {
        try execute(
            "INSERT INTO pin_import_parts (import_id, start, data) VALUES (?1, ?2, ?3)", id, start, data)
    }

    /// The part of a file that begins there.
    func part(of id: String, at start: Int64) throws(SQLError) -> [UInt8]? {
        try first("SELECT data FROM pin_import_parts WHERE import_id = ?1 AND start = ?2", id, start) {
            row throws(SQLError) in try row.blob(0)
        }
    }

    func deleteParts(of id: String) throws(SQLError) {
        try execute("DELETE FROM pin_import_parts WHERE import_id = ?1", id)
    }

    /// Forgets files that were not used since `time`, and imports that have not begun; gives how many. One that has
    /// begun stays, to be taken back.
    func deleteImportFiles(before time: Int64, limit: Int) throws(SQLError) -> Int {
        let old = try rows(
            """
            SELECT id FROM pin_imports WHERE state < 3 AND used_ms < ?1 ORDER BY used_ms LIMIT ?2
            """, time, limit
        ) { row throws(SQLError) in try row.text(0) }
        for id in old {
            try deleteParts(of: id)
            try execute("DELETE FROM pin_imports WHERE id = ?1 AND state = 1", id)
            try execute("UPDATE pin_imports SET used_ms = ?2 WHERE id = ?1", id, Int64.max)
        }
        return old.count
    }
}

extension PinImport {
    fileprivate init(_ row: borrowing Row) throws(SQLError) {
        self.init(
            id: try row.text(0), account: try row.text(1), fileName: try row.text(2), byteCount: try row.integer(3),
            receivedBytes: try row.integer(4), state: try row.state(5), createdMilliseconds: try row.integer(6),
            counts: Counts(
                pins: try row.integer(7), bad: try row.integer(8), passed: try row.integer(9),
                shortened: try row.integer(10), lists: try row.integer(14), leftOutLists: try row.integer(15),
                unplaced: try row.integer(16), tracks: try row.integer(17)),
            doneCount: try row.integer(11), addedCount: try row.integer(12), removedCount: try row.integer(13),
            addedTracks: try row.integer(18), removedTracks: try row.integer(19))
    }
}
