internal import Bytes

/// One named step of a schema. Steps are append-only: a released one is never edited, moved or removed.
package struct Migration: Sendable {
    /// The name kept in the database, unique in its list.
    package let name: String
    /// One or more statements in the common dialect, ended by semicolons.
    package let sql: StaticString

    /// A step with its name and its statements.
    package init(_ name: String, _ sql: StaticString) {
        self.name = name
        self.sql = sql
    }

    /// A hash of the statements. It detects an edit made by mistake, not a malicious one.
    var checksum: Int64 {
        var hash = StableHash()
        hash.add(sql.description.utf8)
        return Int64(bitPattern: hash.value)
    }
}

/// A step that a database records as applied.
struct AppliedMigration: Equatable {
    let name: String
    let checksum: Int64
}

/// Decides which migrations are still to be applied, or why the database can't be used. A pure function, without a
/// database.
enum MigrationPlan {
    /// The tail of `known` that isn't applied. The applied ones must be exactly the head of `known`.
    static func pending(
        _ known: [Migration], applied: [AppliedMigration]
    ) throws(SQLError) -> ArraySlice<Migration> {
        try requireUniqueNames(known)
        for (position, old) in applied.enumerated() {
            guard position < known.count else { throw newer(old, known: known.count, applied: applied.count) }
            guard known[position].name == old.name else { throw misplaced(old, at: position, known) }
            guard known[position].checksum == old.checksum else { throw changed(old) }
        }
        return known[applied.count...]
    }

    private static func requireUniqueNames(_ known: [Migration]) throws(SQLError) {
        var names = Set<String>()
        for migration in known where !names.insert(migration.name).inserted {
            throw SQLError(.migration, "migration \"\(migration.name)\" is listed twice: names are unique")
        }
    }

    private static func newer(_ old: AppliedMigration, known: Int, applied: Int) -> SQLError {
        SQLError(
            .migration,
            "the database is newer than this program: it has \(applied) migrations, unknown here from "
                + "\"\(old.name)\" on, and the program knows \(known); run a newer program")
    }

    private static func misplaced(_ old: AppliedMigration, at position: Int, _ known: [Migration]) -> SQLError {
        let fate = known.contains { $0.name == old.name } ? "at another place" : "missing"
        return SQLError(
            .migration,
            "migration \(position + 1) of the database is \"\(old.name)\", which is \(fate) in this program "
                + "(it has \"\(known[position].name)\" there); migrations may only be appended")
    }

    private static func changed(_ old: AppliedMigration) -> SQLError {
        SQLError(
            .migration,
            "migration \"\(old.name)\" was changed after it was applied; restore its text and append a new migration")
    }
}
