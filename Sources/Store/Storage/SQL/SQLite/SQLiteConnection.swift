internal import CSQLite

/// One connection to a SQLite file with its statements and callbacks. Not Sendable: it is made and used on one
/// storage thread.
final class SQLiteConnection: SQLConnection {
    /// What a connection is for.
    enum Role { case reader, writer }

    let path: String
    let role: Role
    let handle: SQLiteHandle
    private var statements: StatementCache
    // A separate cache for the storage's own statements: the linker gives equal literals one address, so in a common
    // cache a body that may not run COMMIT would find it prepared.
    private var controls = StatementCache(limit: 8)
    var notes: Set<String> = []
    /// It has no clock of its own.
    var clockLead: Int64 { 0 }
    /// How many statements the current body may still run.
    var statementsLeft = Int.max
    /// Pages of the log that the last checkpoint has handled.
    var checkpointedPages = 0

    init(path: String, role: Role, settings: DatabaseSettings) throws(SQLError) {
        self.path = path
        self.role = role
        let hooks = ConnectionHooks(lockTimeout: settings.lockTimeout)
        handle = try SQLiteHandle(path: path, creates: role == .writer, hooks: hooks)
        statements = StatementCache(limit: settings.cachedStatements)
        try configure(settings)
    }

    // Statements first: SQLite really closes a database only when its last statement is freed.
    deinit {
        statements = StatementCache(limit: 1)
        controls = StatementCache(limit: 1)
    }

    var hooks: ConnectionHooks { handle.hooks }

    @discardableResult
    func run(
        _ sql: StaticString, _ parameters: [(any SQLParameter)?],
        _ body: (borrowing Row) throws(SQLError) -> Bool
    ) throws(SQLError) -> Int {
        if let reason = hooks.stopReason { throw reason }
        try requireTransaction()
        guard statementsLeft > 0 else { throw Self.oneStatement }
        statementsLeft -= 1
        let entry = try statements.entry(for: sql) { () throws(SQLError) in try prepareEntry(sql) }
        let before = handle.changes.total
        try run(entry, parameters, body)
        let after = handle.changes
        return after.total == before ? 0 : Int(after.last)
    }

    func execute(_ sql: StaticString, _ parameters: [(any SQLParameter)?]) throws(SQLError) {
        try run(sql, parameters) { _ throws(SQLError) in true }
    }

    /// Throws when the transaction is over. After some errors SQLite rolls everything back by itself; if a body hid
    /// such an error, its next statements would be committed one by one.
    func requireTransaction() throws(SQLError) {
        guard handle.isInTransaction else { throw SQLError(.io, "database \(path): the transaction is already undone") }
    }

    /// Runs a statement that only the storage itself may use.
    func control(_ sql: StaticString) throws(SQLError) {
        hooks.allowsControl = true
        defer { hooks.allowsControl = false }
        let entry = try controls.entry(for: sql) { () throws(SQLError) in try prepareEntry(sql) }
        try run(entry, []) { _ in true }
    }

    /// The error for a code that SQLite has just returned.
    func failure(_ code: Int32) -> SQLError {
        let family = code & 0xff
        if family == SQLITE_INTERRUPT || family == SQLITE_BUSY, let reason = hooks.stopReason { return reason }
        return Failure.error(code, path: path, cause: handle.lastMessage)
    }

    private func run(
        _ entry: StatementCache.Entry, _ parameters: [(any SQLParameter)?],
        _ body: (borrowing Row) throws(SQLError) -> Bool
    ) throws(SQLError) {
        entry.isInUse = true
        defer {
            entry.statement.reset()
            entry.isInUse = false
        }
        try entry.statement.bind(parameters)
        while try advance(entry.statement) {
            guard try body(entry.statement.row) else { return }
        }
    }

    private func prepareEntry(_ sql: StaticString) throws(SQLError) -> StatementCache.Entry {
        StatementCache.Entry(try prepareOne(sql))
    }

    /// True on a row, false at the end.
    func advance(_ statement: borrowing Statement) throws(SQLError) -> Bool {
        let code = statement.step()
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(code)
        }
    }
}
