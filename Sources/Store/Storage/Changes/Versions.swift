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
    /// A version greater than all before it, of a store that has one subject.
    package func nextVersion() throws(SQLError) -> Int64 { try nextVersion(of: wholeStore) }

    /// The version of the last change of such a store.
    package func lastVersion() throws(SQLError) -> Int64 { try lastVersion(of: wholeStore) }
}
