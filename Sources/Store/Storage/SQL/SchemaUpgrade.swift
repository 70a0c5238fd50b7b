internal import Bytes
internal import Glibc

/// Upgrades a database to the program's schema, all pending migrations in one transaction: all of them or none.
struct SchemaUpgrade {
    let connection: any SQLConnection
    /// Whether rows are moved into it.
    var isMovedInto = false

    func run(_ migrations: [Migration]) throws(SQLError) {
        try connection.begin(.write)
        do {
            try apply(migrations)
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func apply(_ migrations: [Migration]) throws(SQLError) {
        try connection.lockSchema()
        let transaction = Transaction(connection)
        try transaction.execute(
            """
            CREATE TABLE IF NOT EXISTS waymark_migrations (
                position BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, checksum BIGINT NOT NULL,
                applied_at_seconds BIGINT NOT NULL)
            """)
        let recorded = try transaction.rows(
            "SELECT name, checksum FROM waymark_migrations ORDER BY position"
        ) { row throws(SQLError) in AppliedMigration(name: try row.text(0), checksum: try row.integer(1)) }
        let applied = recorded.filter { !$0.name.isSame(as: MoveMark.name) }
        try mark(transaction, isMarked: applied.count < recorded.count, isEmpty: applied.isEmpty)
        let pending = try MigrationPlan.pending(migrations, applied: applied)
        for (position, migration) in zip(applied.count..., pending) {
            try apply(migration)
            try transaction.execute(
                """
                INSERT INTO waymark_migrations (position, name, checksum, applied_at_seconds)
                VALUES (?1, ?2, ?3, ?4)
                """, position, migration.name, migration.checksum, Int(time(nil)))
        }
    }

    /// Marks a database that rows are moved into, which has no other data; else refuses one that is marked.
    private func mark(
        _ transaction: borrowing Transaction, isMarked: Bool, isEmpty: Bool
    ) throws(SQLError) {
        guard isMovedInto else {
            if isMarked { throw MoveMark.refusal }
            return
        }
        if isMarked { return }
        guard isEmpty else { throw MoveMark.taken }
        try transaction.execute(
            """
            INSERT INTO waymark_migrations (position, name, checksum, applied_at_seconds) VALUES (?1, ?2, 0, ?3)
            """, MoveMark.position, MoveMark.name, Int(time(nil)))
    }

    private func apply(_ migration: Migration) throws(SQLError) {
        do {
            try connection.runScript(migration)
        } catch {
            throw SQLError(error.code, "migration \"\(migration.name)\" failed: \(error.message)", cause: error.cause)
        }
    }
}
