/// Copies SQLite databases as they all are at one instant, while services go on writing to them.
///
/// Each is held in a read transaction. Between the moment before the first and the moment after the last of these
/// begins nothing may have been committed anywhere: a second connection to each says whether it was
/// (https://sqlite.org/pragma.html#pragma_data_version). Otherwise they are let go, and held again.
package enum SQLiteCopy {
    /// How often they are tried to be held at once. A try takes some hundred microseconds.
    private static let tries = 200

    /// Copies each `from` to a `to` where nothing is yet. Blocks until all are copied; who writes waits for nothing.
    /// - Parameter progress: called with how many of all pages are copied; false ends it.
    package static func make(
        _ copies: [(from: String, to: String)], progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }
    ) throws(SQLError) {
        let held = try hold(copies.map(\.from))
        var total = 0
        for source in held { total += Int(try source.run("PRAGMA page_count").first?.first ?? "") ?? 0 }
        var before = 0
        for (source, copy) in zip(held, copies) {
            let target = try PlainSQLite(copy.to, isNew: true)
            // A copy that is not whole is thrown away.
            try target.run("PRAGMA journal_mode = OFF")
            try target.run("PRAGMA synchronous = OFF")
            var done = 0
            try target.copy(source) { pages in
                done = pages
                return progress(before + pages, total)
            }
            before += done
            try source.run("ROLLBACK")
        }
    }

    /// Connections with a read transaction each, all of one instant.
    private static func hold(_ paths: [String]) throws(SQLError) -> [PlainSQLite] {
        var (readers, watchers): ([PlainSQLite], [PlainSQLite]) = ([], [])
        for path in paths {
            readers.append(try PlainSQLite(path))
            watchers.append(try PlainSQLite(path))
        }
        for attempt in 0..<tries {
            let before = try versions(watchers)
            for reader in readers {
                try reader.run("BEGIN")
                // The transaction begins with what it reads first.
                try reader.run("SELECT count(*) FROM sqlite_schema")
            }
            if try versions(watchers) == before { return readers }
            for reader in readers { try reader.run("ROLLBACK") }
            // Not in step with who writes.
            PlainSQLite.rest(milliseconds: .random(in: 0...Int32(min(10, attempt + 1))))
        }
        throw SQLError(
            .busy, "\(paths.joined(separator: ", ")) change too fast to be copied as they are at one instant; try again"
        )
    }

    private static func versions(_ databases: [PlainSQLite]) throws(SQLError) -> [String] {
        var versions: [String] = []
        for database in databases { versions.append(try database.run("PRAGMA data_version").first?.first ?? "") }
        return versions
    }
}
