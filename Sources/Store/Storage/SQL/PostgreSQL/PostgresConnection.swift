internal import CPQ
internal import EventLoops

/// A connection to a PostgreSQL server that is made again when it broke. Not Sendable: it is made and used on one
/// storage thread.
final class PostgresConnection: SQLConnection {
    /// The oldest server whose SQL we need.
    private static let oldestServer = 150_000

    let address: PostgresAddress
    private let settings: DatabaseSettings
    private let clock: SharedClock
    private var session: PostgresSession?
    private var statements: PostgresStatements
    private var scope = WriteScope.everything
    private var standing = Standing()
    var notes: Set<String> = []
    var clockLead: Int64 { clock.lead }
    /// The request that is running, whose deadline and cancellation stop it.
    var current: Request?

    init(_ address: PostgresAddress, _ settings: DatabaseSettings, _ clock: SharedClock) {
        self.address = address
        self.settings = settings
        self.clock = clock
        statements = PostgresStatements(limit: settings.cachedStatements)
    }

    /// Connects if necessary. Between two attempts that fail passes a while, in which all are refused at once.
    func connect() throws(SQLError) {
        if let session, session.isOpen { return }
        close()
        if let reason = standing.refusal(at: .now) { throw reason }
        do throws(SQLError) {
            let session = try PostgresSession(address, limit: settings.connectTimeout, look: look)
            try prepare(session)
            self.session = session
            standing = Standing()
        } catch {
            if error.code != .cancelled, error.code != .deadlineExceeded { standing.failed(error, at: .now) }
            throw error
        }
    }

    /// Drops the connection; the server ends what runs on it.
    func close() {
        session = nil
        statements = PostgresStatements(limit: settings.cachedStatements)
    }

    /// Whether the server still answers on this connection.
    var isOpen: Bool { session?.isOpen ?? false }

    /// A reading transaction has one snapshot for all its statements. A writing one without a scope is for the schema,
    /// whose lock is a row.
    func begin(_ access: SQLAccess) throws(SQLError) {
        switch access {
        case .read: try open().begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        case .write: try begin(.statements)
        }
    }

    func begin(_ scope: WriteScope) throws(SQLError) {
        self.scope = scope
        switch scope {
        case .everything: try open().begin("BEGIN ISOLATION LEVEL SERIALIZABLE")
        case .statements: try open().begin("BEGIN ISOLATION LEVEL READ COMMITTED")
        case .subject(let subject):
            // Behind the lock, each statement sees all that those before it have committed.
            try open().begin("BEGIN ISOLATION LEVEL READ COMMITTED")
            let transaction = Transaction(self)
            try transaction.lock(subject)
        }
    }

    func commit() throws(SQLError) {
        try requireTransaction()
        let session = try open()
        let end = ContinuousClock.now + settings.statementTimeout
        var stopReason: SQLError?
        // The caller's deadline stops the statements that go with it. The end itself is waited for: an answer is on
        // its way.
        let hasStatements = !session.queue.isEmpty
        do throws(SQLError) {
            let result = try session.commit { () throws(SQLError) in
                guard ContinuousClock.now < end else {
                    throw SQLError(.away, "database \(address.place) does not answer")
                }
                guard hasStatements, stopReason == nil, let reason = current?.stopReason else { return }
                stopReason = reason
                session.requestStop()
            }
            guard result.tag == "COMMIT" else { throw undone() }
        } catch {
            throw stopReason ?? error
        }
    }

    /// Waits for a first answer of the server within this transaction.
    func requireAnswer() throws(SQLError) { try open().requireAnswer(look) }

    /// Ends a transaction that has only read: with what comes next, or by `settle`.
    func endReading() throws(SQLError) {
        try requireTransaction()
        try open().endReading(look)
    }

    /// Sends what still waits for a next statement. A failure has no caller left, and is one of the connection.
    func settle() {
        do throws(SQLError) { try session?.settle(look) } catch { close() }
    }

    func rollBack() {
        guard let session, session.isOpen else { return close() }
        if session.isIdle { return }
        let end = ContinuousClock.now + .seconds(1)
        let isDone: Void? =
            try? _ = session.run("ROLLBACK") { () throws(SQLError) in
                if ContinuousClock.now >= end { throw SQLError(.away, "no answer") }
            }
        if isDone == nil { close() }
    }

    func undo() throws(SQLError) {
        notes = []
        try control("ROLLBACK")
        try begin(scope)
    }

    @discardableResult
    func run(
        _ sql: StaticString, _ parameters: [(any SQLParameter)?], _ body: (borrowing Row) throws(SQLError) -> Bool
    ) throws(SQLError) -> Int {
        if let reason = current?.stopReason { throw reason }
        try requireTransaction()
        let result = try statement(sql, parameters)
        for index in 0..<result.rowCount {
            guard try body(unsafe Row(result.row(index))) else { break }
        }
        withExtendedLifetime(result) {}
        return result.changedRowCount
    }

    func execute(_ sql: StaticString, _ parameters: [(any SQLParameter)?]) throws(SQLError) {
        if let reason = current?.stopReason { throw reason }
        try requireTransaction()
        let (name, values) = try prepared(sql, parameters)
        try open().queue(prepared: name, values, look)
    }

    /// Runs a statement that is prepared once for each session.
    func statement(
        _ sql: StaticString, _ parameters: [(any SQLParameter)?]
    ) throws(SQLError) -> PostgresResult {
        let (name, values) = try prepared(sql, parameters)
        return try open().run(prepared: name, values, look: look)
    }

    private func prepared(
        _ sql: StaticString, _ parameters: [(any SQLParameter)?]
    ) throws(SQLError) -> (name: String, values: PostgresParameters) {
        let values = try PostgresParameters(parameters)
        let statement = try statements.statement(sql, values.types, in: open(), look: look)
        guard statement.parameterCount == parameters.count else {
            throw SQLError(
                .misuse,
                "the statement \"\(sql)\" takes \(statement.parameterCount) parameters and got \(parameters.count)")
        }
        return (statement.name, values)
    }

    func keepPages(_ keeps: Bool) {}

    /// By a row: the first of several replicas that start at once has it until its commit.
    func lockSchema() throws(SQLError) {
        try control("CREATE TABLE IF NOT EXISTS waymark_upgrades (id BIGINT PRIMARY KEY)")
        try control("INSERT INTO waymark_upgrades (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = excluded.id")
    }

    func runScript(_ migration: Migration) throws(SQLError) {
        try requireTransaction()
        _ = try open().run(PostgresDialect(script: migration.postgreSQL ?? migration.sql).text, look: look)
    }

    /// Whether the service's schema is there.
    func hasSchema() throws(SQLError) -> Bool {
        try open().run("SELECT 1 FROM pg_namespace WHERE nspname = '\(address.schema)'", look: look).rowCount > 0
    }

    /// Runs a statement that only the storage itself may use.
    func control(_ sql: String) throws(SQLError) { _ = try open().run(sql, look: look) }

    func open() throws(SQLError) -> PostgresSession {
        guard let session else { throw SQLError(.away, "database \(address.place): there is no connection") }
        return session
    }

    /// Throws when the transaction is over, or has failed: a body that hid that error would take its changes for kept.
    private func requireTransaction() throws(SQLError) {
        guard let session, session.isOpen else {
            throw SQLError(.away, "database \(address.place): the connection to the server broke")
        }
        guard session.isInTransaction else { throw undone() }
    }

    private func undone() -> SQLError {
        SQLError(.io, "database \(address.place): the transaction is already undone")
    }

    /// Whether a statement may go on.
    func look() throws(SQLError) {
        if let reason = current?.stopReason { throw reason }
    }

    /// Sets what a session needs. The server ends statements of a process that died, and transactions that it left.
    private func prepare(_ session: PostgresSession) throws(SQLError) {
        guard session.serverVersion >= Self.oldestServer else {
            throw SQLError(
                .refused,
                "database \(address.place): the server is PostgreSQL \(session.serverVersion / 10_000), and 15 or newer "
                    + "is needed")
        }
        clock.set(try Self.clockLead(of: session, look))
        let milliseconds = settings.statementTimeout.wholeMilliseconds
        _ = try session.run(
            """
            SET search_path TO \"\(address.schema)\"; SET statement_timeout TO \(milliseconds);
            SET idle_in_transaction_session_timeout TO \(milliseconds); SET client_min_messages TO error
            """, look: look)
    }
}

/// When the server may be tried again after it could not be reached.
private struct Standing {
    private var backoff = Backoff(first: .milliseconds(100), longest: .seconds(2))
    private var retry: (after: ContinuousClock.Instant, reason: SQLError)?

    mutating func failed(_ reason: SQLError, at now: ContinuousClock.Instant) {
        var random = SystemRandomNumberGenerator()
        retry = (now + backoff.next(using: &random), reason)
    }

    func refusal(at now: ContinuousClock.Instant) -> SQLError? {
        retry.flatMap { now < $0.after ? $0.reason : nil }
    }
}
