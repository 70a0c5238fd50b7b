/// What is in a SQLite file of ours, whatever its tables: for those who compare a copy with what was copied.
package struct SQLiteFacts: Codable, Equatable, Sendable {
    /// The names of the migrations that were applied, in order.
    package let migrations: [String]
    /// How many rows each table has.
    package let rows: [String: Int]

    /// Reads a database that no one writes to. Blocks.
    package init(of path: String) throws(SQLError) {
        let database = try PlainSQLite(path)
        var rows: [String: Int] = [:]
        let tables = try database.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        for name in tables.compactMap(\.first) {
            let count = try database.run("SELECT count(*) FROM \(Self.quoted(name))").first?.first
            rows[name] = count.flatMap { Int($0) }
        }
        self.rows = rows
        migrations =
            rows["waymark_migrations"] == nil
            ? [] : try database.run("SELECT name FROM waymark_migrations ORDER BY position").compactMap(\.first)
    }

    /// What is wrong with a database that no one writes to: its pages, its indexes, references to rows that are not
    /// there. At most 20 sentences; none when it is whole. Blocks.
    package static func faults(of path: String) throws(SQLError) -> [String] {
        let database = try PlainSQLite(path)
        let pages = try database.run("PRAGMA integrity_check(20)").compactMap(\.first).filter { $0 != "ok" }
        guard pages.isEmpty else { return pages }
        return try database.run("PRAGMA foreign_key_check", limit: 20).map { row in
            "a row of \(row.first ?? "") refers to one of \(row.count > 2 ? row[2] : "") that is not there"
        }
    }

    /// What is wrong with the pages of a database that no one writes to; nil when nothing is. It looks at less than
    /// `faults`. Blocks.
    package static func fault(of path: String) throws(SQLError) -> String? {
        try PlainSQLite(path).run("PRAGMA quick_check(1)").first?.first.flatMap { $0 == "ok" ? nil : $0 }
    }

    private static func quoted(_ name: String) -> String {
        "\"\(name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined())\""
    }
}
