/// The version numbers by which watchers know what they have seen: one sequence for a whole store. See `SubjectSchema`
/// for one for each part of a store.
package enum VersionSchema {
    package static let migration = Migration(
        "versions",
        """
        CREATE TABLE versions (id BIGINT PRIMARY KEY, last BIGINT NOT NULL);
        INSERT INTO versions (id, last) VALUES (1, 0);
        """)
}

extension Transaction {
    /// A version greater than all before it. Changes become visible in the order of their versions, because there is
    /// one writer.
    package func nextVersion() throws(SQLError) -> Int64 {
        let version = try first("UPDATE versions SET last = last + 1 WHERE id = 1 RETURNING last") {
            row throws(SQLError) in try row.integer(0)
        }
        guard let version else { throw SQLError(.corrupt, "the table of versions is empty") }
        return version
    }

    /// The version of the last change.
    package func lastVersion() throws(SQLError) -> Int64 {
        try first("SELECT last FROM versions WHERE id = 1") { row throws(SQLError) in try row.integer(0) } ?? 0
    }
}
