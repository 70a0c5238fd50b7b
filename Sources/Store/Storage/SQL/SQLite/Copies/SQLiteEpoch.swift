/// Makes a database that was brought back another one for those who knew it as it was later.
package enum SQLiteEpoch {
    /// More changes than were made since the copy.
    private static let leap: Int64 = 1 << 40
    /// Where versions are that clients of pins may know.
    private static let versions = [
        ("versions", "last"), ("subjects", "version"), ("pins", "version"), ("pins", "state_version"),
        ("links", "version"), ("removals", "version"),
    ]

    /// Gives the data another number (`DataName`), and sets the versions of its subjects ahead of all that clients may
    /// have seen. So a watch that continues from a version that is not there any more is sent all. Blocks.
    package static func renew(_ path: String) throws(SQLError) {
        let database = try PlainSQLite(path)
        let tables = Set(try database.run("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap(\.first))
        try database.run("BEGIN IMMEDIATE")
        if tables.isSuperset(of: ["store"]) {
            try database.run("UPDATE store SET epoch = \(Int64.random(in: 1...Int64.max))")
        }
        for (table, column) in versions {
            let columns = try database.run("SELECT name FROM pragma_table_info('\(table)')").compactMap(\.first)
            guard columns.contains(where: { $0.utf8.elementsEqual(column.utf8) }) else { continue }
            try database.run("UPDATE \(table) SET \(column) = \(column) + \(leap)")
        }
        if tables.isSuperset(of: ["forgotten_removals"]) {
            // A watch of pins that continues from before this is sent the whole list, whichever account's it is.
            try database.run(
                """
                INSERT INTO forgotten_removals (account, version) VALUES ('', \(leap))
                ON CONFLICT (account) DO UPDATE SET version = version + \(leap)
                """)
        }
        try database.run("COMMIT")
        // No other connection has it, so this is the one that may.
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
