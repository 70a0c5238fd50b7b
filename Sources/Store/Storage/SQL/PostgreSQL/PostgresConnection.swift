internal import CPQ
internal import EventLoops

/// A connection to a PostgreSQL server that is made again when it broke. Not Sendable: it is made and used on one
/// storage thread.
final class PostgresConnection: SQLConnection {
    /// The oldest server whose SQL we need.
    static let oldestServer = 150_000

    /// How far the current transaction is.
    enum Stage: Equatable {
        /// It begins with its first statement, and both are sent at once.
        case waiting(begin: String)
        case begun
        /// Its only statement needs neither a beginning nor an end.
        case single
        case over
    }

    let address: PostgresAddress
    private let access: SQLAccess
    let settings: DatabaseSettings
    private let clock: SharedClock
    var session: PostgresSession?
    private var statements: PostgresStatements
    var scope = WriteScope.everything
    var stage = Stage.over
    var held: HeldSubject?
    private var outage = Outage()
    var notes: Set<String> = []
    var clockLead: Int64 { clock.lead }
    /// The request that is running, whose deadline and cancellation stop it.
    var current: Request?

    init(
        _ address: PostgresAddress, _ settings: DatabaseSettings, _ clock: SharedClock, _ access: SQLAccess = .write
    ) {
        self.address = address
        self.access = access
        self.settings = settings
        self.clock = clock
        statements = PostgresStatements(limit: settings.cachedStatements)
    }

    /// Connects if necessary. Between two attempts that fail passes a while, in which all are refused at once.
    func connect() throws(SQLError) {
        if let session, session.isOpen { return }
        close()
        if let reason = outage.refusal(at: .now) { throw reason }
        do throws(SQLError) {
            let session = try PostgresSession(address, limit: settings.connectTimeout, look: look)
            try prepare(session)
            self.session = session
            outage = Outage()
        } catch {
            if error.code != .cancelled, error.code != .deadlineExceeded { outage.failed(error, at: .now) }
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

    /// How often the server was waited for since the last time.
    func takeWaits() -> Int {
        defer { session?.waits = 0 }
        return session?.waits ?? 0
    }

    /// Sends what still waits for a next statement. A failure has no caller left, and is one of the connection.
    func settle() {
        do throws(SQLError) { try session?.settle(look) } catch { close() }
    }

    @discardableResult
    func run(
        _ sql: StaticString, _ parameters: [(any SQLParameter)?], _ body: (borrowing Row) throws(SQLError) -> Bool
    ) throws(SQLError) -> Int {
        if let reason = current?.stopReason { throw reason }
        try enter()
        let result = try statement(sql, parameters)
        for index in 0..<result.rowCount {
            guard try body(unsafe Row(result.row(index))) else { break }
        }
        withExtendedLifetime(result) {}
        return result.changedRowCount
    }

    func execute(_ sql: StaticString, _ parameters: [(any SQLParameter)?]) throws(SQLError) {
        if let reason = current?.stopReason { throw reason }
        try enter()
        // Nothing comes behind the only one of a transaction that would tell of its failure.
        if stage == .over { return _ = try statement(sql, parameters) }
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

    func prepared(
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
        try enter()
        try control("CREATE TABLE IF NOT EXISTS waymark_upgrades (id BIGINT PRIMARY KEY)")
        try control("INSERT INTO waymark_upgrades (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = excluded.id")
    }

    func runScript(_ migration: Migration) throws(SQLError) {
        try enter()
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
            SET idle_in_transaction_session_timeout TO \(milliseconds); SET client_min_messages TO warning;
            SET default_transaction_read_only TO \(access == .read ? "on" : "off")
            """, look: look)
    }
}

/// When the server may be tried again after it could not be reached.
private struct Outage {
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
