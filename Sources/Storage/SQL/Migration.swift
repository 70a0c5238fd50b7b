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

    /// FNV-1a over the statements' bytes, 64 bits (RFC 9923). It finds an edit made by mistake, not one made in malice.
    var checksum: Int64 {
        let hash = unsafe UnsafeBufferPointer(start: sql.utf8Start, count: sql.utf8CodeUnitCount)
            .reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}

/// A step that a database says it has been through.
struct AppliedMigration: Equatable {
    let name: String
    let checksum: Int64
}
