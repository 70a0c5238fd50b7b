internal import CPQ
import Caches

/// A session's prepared statements; the least recently used one is dropped when there are too many.
///
/// The key is the address of the SQL literal, as in `StatementCache`, and the types of its parameters: NULL has none,
/// so a statement that is given NULL is another one.
struct PostgresStatements {
    struct Statement {
        let name: String
        let parameterCount: Int
    }

    private struct Key: Hashable {
        let address: UInt
        let types: [Oid]
    }

    private var statements: BoundedCache<Key, Statement>
    private var prepared: UInt64 = 0

    init(limit: Int) { statements = BoundedCache(limit: max(1, limit)) }

    /// The statement for `sql`, prepared on the server if there is none.
    mutating func statement(
        _ sql: StaticString, _ types: [Oid], in session: PostgresSession, look: PostgresSession.Look
    ) throws(SQLError) -> Statement {
        let key = Key(address: unsafe UInt(bitPattern: sql.utf8Start), types: types)
        if let known = statements.use(key) { return known }
        let dialect = try PostgresDialect(statement: sql)
        // A list of types that is longer than the statement's parameters would be refused in the server's words.
        guard dialect.parameterCount == types.count else {
            return Statement(name: "", parameterCount: dialect.parameterCount)
        }
        prepared += 1
        let statement = Statement(name: "s\(prepared)", parameterCount: dialect.parameterCount)
        try session.prepare(statement.name, dialect.text, types, look: look)
        for (_, old) in statements.add(statement, at: key) { _ = try session.run("DEALLOCATE \(old.name)", look: look) }
        return statement
    }
}
