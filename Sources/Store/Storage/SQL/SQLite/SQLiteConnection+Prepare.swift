internal import CSQLite

extension SQLiteConnection {
    /// Prepares a text that holds exactly one statement.
    func prepareOne(_ sql: StaticString) throws(SQLError) -> Statement {
        var position = 0
        let statement = try prepareNext(in: sql, from: &position)
        let rest = try prepareNext(in: sql, from: &position)
        guard let statement, rest == nil else {
            throw SQLError(.misuse, "\"\(sql)\" must contain one statement, neither none nor several")
        }
        try statement.requireNumberedPlaceholders()
        return statement
    }

    /// Runs all statements of a text, none of which takes parameters.
    func runScript(_ migration: Migration) throws(SQLError) {
        var position = 0
        while let statement = try prepareNext(in: migration.sql, from: &position) {
            try statement.bind([])
            while try advance(statement) {}
        }
    }

    /// Prepares the statement at `position` and moves past it; nil at the end. Comments are skipped.
    private func prepareNext(in sql: StaticString, from position: inout Int) throws(SQLError) -> Statement? {
        while position < sql.utf8CodeUnitCount {
            if let statement = try prepare(sql, from: &position) { return statement }
        }
        return nil
    }

    private func prepare(_ sql: StaticString, from position: inout Int) throws(SQLError) -> Statement? {
        let text = unsafe UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
        let start = unsafe text + position
        var prepared: OpaquePointer?
        var rest: UnsafePointer<CChar>?
        // PERSISTENT: the statement will be kept, so SQLite allocates it on the general heap.
        let code = unsafe handle.withHandle {
            unsafe sqlite3_prepare_v3(
                $0, start, Int32(sql.utf8CodeUnitCount - position), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &rest)
        }
        guard code == SQLITE_OK else { throw failure(code) }
        position = unsafe rest.map { unsafe $0 - text } ?? sql.utf8CodeUnitCount
        guard let prepared = unsafe prepared else { return nil }
        return unsafe Statement(owning: prepared)
    }
}
