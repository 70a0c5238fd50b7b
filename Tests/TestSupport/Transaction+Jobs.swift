package import Storage

extension Transaction {
    /// How many jobs of a kind there are, running or waiting.
    package func jobCount(_ kind: String) throws(SQLError) -> Int {
        try first("SELECT count(*) FROM jobs WHERE kind = ?1", kind) { row throws(SQLError) in
            Int(try row.integer(0))
        } ?? 0
    }
}
