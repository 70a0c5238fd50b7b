internal import Bytes

/// One named step of a schema. Steps are append-only: a released one is never edited or removed.
package struct Migration: Sendable {
    /// The name kept in the database, unique in its list: the version that brought it, and what it is ("0.2.0 pins").
    package let name: String
    /// One or more statements in the common dialect, ended by semicolons.
    package let sql: StaticString
    /// The statements for PostgreSQL, where it needs other ones.
    let postgreSQL: StaticString?

    /// A step with its name and its statements.
    package init(_ name: String, _ sql: StaticString, postgreSQL: StaticString? = nil) {
        self.name = name
        self.sql = sql
        self.postgreSQL = postgreSQL
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

    /// Before 0.2.0 names had none.
    var hasVersion: Bool { name.utf8.prefix { $0 != UInt8(ascii: " ") }.count { $0 == UInt8(ascii: ".") } == 2 }
}

/// Decides which migrations are still to be applied, or why the database can't be used. A pure function, without a
/// database.
enum MigrationPlan {
    /// Those of `known` that aren't applied, in their order. Every applied one must be known. A step of one component
    /// may come to a database after later steps of another.
    static func pending(
        _ known: [Migration], applied: [AppliedMigration]
    ) throws(SQLError) -> [Migration] {
        var byName: [String: Migration] = [:]
        for migration in known where byName.updateValue(migration, forKey: migration.name) != nil {
            throw SQLError(.migration, "migration \"\(migration.name)\" is listed twice: names are unique")
        }
        for old in applied {
            guard let migration = byName[old.name] else { throw old.hasVersion ? newer(old) : older }
            guard migration.checksum == old.checksum else { throw changed(old) }
        }
        let names = Set(applied.map(\.name))
        return known.filter { !names.contains($0.name) }
    }

    private static let older = SQLError(
        .migration,
        "the database is of a version before 0.2.0, which this program can't read: write your pins and lists into a file "
            + "with that version (waymark pin export), start this one with an empty data folder or schema, and read the "
            + "file there (waymark pin import)")

    private static func newer(_ old: AppliedMigration) -> SQLError {
        SQLError(
            .migration,
            "the database is newer than this program, which does not know its migration \"\(old.name)\"; run a newer "
                + "program")
    }

    private static func changed(_ old: AppliedMigration) -> SQLError {
        SQLError(
            .migration,
            "migration \"\(old.name)\" was changed after it was applied; restore its text and append a new migration")
    }
}
