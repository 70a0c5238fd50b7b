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
