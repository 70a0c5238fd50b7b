internal import CSQLite

extension SQLiteConnection {
    /// Pages in the log at which they are copied into the database file: 4 MiB.
    private static let checkpointPages = 1_000
    /// Pages in the log from which a checkpoint waits for readers, so that the log can start over: 64 MiB.
    private static let restartPages = 16_000

    /// Starts a transaction. A writing one takes the write lock at once, so that it can't fail to get it half-way.
    func begin(_ access: SQLAccess) throws(SQLError) {
        switch access {
        case .read: try control("BEGIN")
        case .write: try control("BEGIN IMMEDIATE")
        }
    }

    /// Makes everything since `begin` durable.
    func commit() throws(SQLError) { try control("COMMIT") }

    /// Ends the transaction, if there still is one. It can't fail in a way that leaves it open: SQLite then has nothing
    /// to roll back.
    func rollBack() {
        guard handle.isInTransaction else { return }
        try? control("ROLLBACK")
    }

    /// `begin(.write)` has kept others out.
    func lockSchema() throws(SQLError) {}

    /// Starts one member of a group: the savepoint for `undo` and `undoMember`.
    func beginMember() throws(SQLError) { try control("SAVEPOINT member") }

    /// Ends a member; its changes wait for the group's commit.
    func endMember() throws(SQLError) { try control("RELEASE member") }

    /// Undoes what the running member has done. Does nothing for a reader, which changes nothing.
    func undo() throws(SQLError) {
        guard role == .writer else { return }
        notes = []
        try control("ROLLBACK TO member")
    }

    /// Copies the log into the database file when it is long enough. False when that failed.
    ///
    /// PASSIVE waits for no reader. A log that grows far beyond its size because readers always overlap is cut back by
    /// TRUNCATE, which waits for them. Nothing is lost when either fails: the log still has it, and the next one tries.
    /// - Parameter follower: has to have seen what is copied; until then it waits.
    func checkpointIfDue(_ follower: LogFollower?) -> Bool {
        if hooks.logPages < checkpointedPages { checkpointedPages = 0 }
        guard hooks.logPages - checkpointedPages >= Self.checkpointPages else { return true }
        guard follower?.willCopy(self) ?? true else { return true }
        checkpointedPages = hooks.logPages
        let mode = hooks.logPages < Self.restartPages ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        // Writers wait meanwhile: so a reader that takes its time, such as a backup, is not waited for longer than a
        // change may take.
        hooks.patience = .milliseconds(50)
        defer { hooks.patience = nil }
        let code = unsafe handle.withHandle { unsafe sqlite3_wal_checkpoint_v2($0, "main", mode, nil, nil) }
        return code == SQLITE_OK || code & 0xff == SQLITE_BUSY
    }
}
