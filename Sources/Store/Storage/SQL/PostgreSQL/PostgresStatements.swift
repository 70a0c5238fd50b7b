internal import CPQ

/// A session's prepared statements; the least recently used one is dropped when there are too many.
///
/// The key is the address of the SQL literal, as in `StatementCache`, and the types of its parameters: NULL has none,
/// so a statement that is given NULL is another one.
struct PostgresStatements {
    struct Statement {
        let name: String
        let parameterCount: Int
        fileprivate var lastUse: UInt64
    }

    private struct Key: Hashable {
        let address: UInt
        let types: [Oid]
    }

    private let limit: Int
    private var statements: [Key: Statement] = [:]
    private var uses: UInt64 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// The statement for `sql`, prepared on the server if there is none.
    mutating func statement(
        _ sql: StaticString, _ types: [Oid], in session: PostgresSession, look: PostgresSession.Look
    ) throws(SQLError) -> Statement {
        let key = Key(address: unsafe UInt(bitPattern: sql.utf8Start), types: types)
        uses += 1
        if let known = statements[key] {
            statements[key]?.lastUse = uses
            return known
        }
        let dialect = try PostgresDialect(statement: sql)
        // A list of types that is longer than the statement's parameters would be refused in the server's words.
        guard dialect.parameterCount == types.count else {
            return Statement(name: "", parameterCount: dialect.parameterCount, lastUse: uses)
        }
        let statement = Statement(name: "s\(uses)", parameterCount: dialect.parameterCount, lastUse: uses)
        try session.prepare(statement.name, dialect.text, types, look: look)
        try makeRoom(in: session, look)
        statements[key] = statement
        return statement
    }

    private mutating func makeRoom(in session: PostgresSession, _ look: PostgresSession.Look) throws(SQLError) {
        guard statements.count >= limit, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return
        }
        _ = try session.run("DEALLOCATE \(oldest.value.name)", look: look)
        statements[oldest.key] = nil
    }
}
