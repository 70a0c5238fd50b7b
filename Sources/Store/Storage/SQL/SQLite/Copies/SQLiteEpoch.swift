/// Makes a database that was brought back another one for those who knew it as it was later.
package enum SQLiteEpoch {
    /// More changes than were made since the copy.
    private static let leap: Int64 = 1 << 40

    /// Gives the data another number (`DataName`), and sets the versions of its subjects ahead of all that clients may
    /// have seen. So a watch that continues from a version that is not there any more is sent all. Blocks.
    package static func renew(_ path: String) throws(SQLError) {
        let database = try PlainSQLite(path)
        let tables = Set(try database.run("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap(\.first))
        try database.run("BEGIN IMMEDIATE")
        if tables.isSuperset(of: ["store"]) {
            try database.run("UPDATE store SET epoch = \(Int64.random(in: 1...Int64.max))")
        }
        if tables.isSuperset(of: ["versions"]) { try database.run("UPDATE versions SET last = last + \(leap)") }
        if tables.isSuperset(of: ["subjects"]) { try database.run("UPDATE subjects SET version = version + \(leap)") }
        if tables.isSuperset(of: ["forgotten_removals", "subjects", "pins", "removals"]) {
            // What a watch of pins continues from before this is not enough: it is sent the whole list.
            try database.run(
                """
                INSERT INTO forgotten_removals (account, version)
                SELECT name, version FROM subjects
                WHERE name IN (SELECT account FROM pins UNION SELECT account FROM removals)
                ON CONFLICT (account) DO UPDATE SET version = excluded.version
                """)
        }
        try database.run("COMMIT")
        // No other connection has it, so this is the one that may.
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
