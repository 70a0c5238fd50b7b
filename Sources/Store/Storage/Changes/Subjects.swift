/// What changes and is watched as one, such as an account: it has a version, which every change raises under the lock
/// of the subject's row. So changes of a subject become visible in the order of their versions, on all replicas.
package enum SubjectSchema {
    /// A new subject begins behind the version in `versions`: that of an earlier one of its name may be remembered.
    package static let migration = Migration(
        "0.2.0 versions",
        """
        CREATE TABLE versions (id BIGINT PRIMARY KEY, last BIGINT NOT NULL);
        INSERT INTO versions (id, last) VALUES (1, 0);
        CREATE TABLE subjects (name TEXT PRIMARY KEY, version BIGINT NOT NULL);
        """)
}

/// The subject of a store that has only one.
package let wholeStore = "store"

extension Transaction {
    /// A version greater than all before it of this subject. Until its end, no other transaction gets one.
    package func nextVersion(of subject: String) throws(SQLError) -> Int64 {
        let version = try raise(subject, by: 1)
        announce(subject)
        return version
    }

    /// As many versions as `count`, one after the other; gives the first.
    package func nextVersions(_ count: Int64, of subject: String) throws(SQLError) -> Int64 {
        let last = try raise(subject, by: count)
        announce(subject)
        return last - count + 1
    }

    /// The version of a subject's last change.
    package func lastVersion(of subject: String) throws(SQLError) -> Int64 {
        try first(
            """
            SELECT coalesce((SELECT version FROM subjects WHERE name = ?1), (SELECT last FROM versions WHERE id = 1))
            """, subject
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    private func raise(_ subject: String, by step: Int64) throws(SQLError) -> Int64 {
        if let held = try raised(subject, by: step) { return held }
        let known = try first(
            "UPDATE subjects SET version = version + ?2 WHERE name = ?1 RETURNING version", subject, step,
            read: Self.version)
        if let known { return known }
        // The first change of a subject; another replica may make it at the same time.
        let version = try first(
            """
            INSERT INTO subjects (name, version) VALUES (?1, (SELECT last FROM versions WHERE id = 1) + ?2)
            ON CONFLICT (name) DO UPDATE SET version = subjects.version + ?2 RETURNING version
            """, subject, step, read: Self.version)
        guard let version else { throw SQLError(.corrupt, "the table of versions is empty") }
        return version
    }

    private static func version(_ row: borrowing Row) throws(SQLError) -> Int64 { try row.integer(0) }
}
