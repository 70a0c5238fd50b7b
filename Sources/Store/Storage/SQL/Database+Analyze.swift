extension Database {
    /// Has a server look at a table again when many rows came in at once: for up to a minute it would go on with the
    /// plan that was right for the few rows before. Does nothing in SQLite, which plans by its indexes alone.
    /// - Parameter statement: "ANALYZE " and the table.
    package func analyze(_ statement: StaticString) async throws(SQLError) {
        guard isShared else { return }
        try await write(.statements) { transaction throws(SQLError) in try transaction.execute(statement) }
    }
}
