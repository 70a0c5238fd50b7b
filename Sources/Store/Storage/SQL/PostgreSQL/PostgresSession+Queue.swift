internal import CPQ

/// What was handed to libpq and not sent yet.
struct StatementQueue {
    fileprivate var count = 0
    /// Which of its statements is the one whose result is kept.
    fileprivate(set) var kept: Int?
    /// Whether a transaction is open behind it.
    fileprivate(set) var endsInTransaction = false

    var isEmpty: Bool { count == 0 }
}

// Each wait for the server costs two thread switches on both sides, more than most statements. So what need not be
// waited for is queued, by libpq's pipeline mode, and goes with the next statement: the beginning of a transaction,
// statements whose result is of no interest, and the end of a transaction that has only read.

extension PostgresSession {
    /// The queue is sent when it has so many statements, so that memory stays bounded.
    private static let maximumQueued = 256

    /// Begins a transaction with the next statement.
    func begin(_ sql: String) throws(SQLError) {
        try queue(sql)
        queue.endsInTransaction = true
        hasAnswered = false
        _ = takeKept()
    }

    /// Ends a transaction that has changed nothing, with what comes next.
    func endReading(_ look: Look) throws(SQLError) {
        try settle(look)
        try queue("COMMIT")
        queue.endsInTransaction = false
    }

    /// Runs a prepared statement with the next one that is waited for, which throws if this one fails.
    /// - Parameter keepsResult: whether `takeKept` gives its result afterwards.
    func queue(
        prepared name: String, _ parameters: PostgresParameters, _ look: Look, keepsResult: Bool = false
    ) throws(SQLError) {
        try enterQueue()
        guard send(prepared: name, parameters) == 1 else { throw broken() }
        if keepsResult { queue.kept = queue.count }
        queue.count += 1
        if queue.count >= Self.maximumQueued { try settle(look) }
    }

    /// Waits for an answer of this transaction if there was none: a connection that broke long ago is noticed while
    /// the transaction may still be run again.
    func requireAnswer(_ look: Look) throws(SQLError) {
        if !hasAnswered { try settle(look) }
    }

    /// Sends what is queued and `COMMIT`, and waits.
    func commit(_ look: Look) throws(SQLError) -> PostgresResult {
        queue.isEmpty ? try run("COMMIT", look: look) : try result(of: send("COMMIT"), look)
    }

    /// Sends what is queued, and waits for it.
    func settle(_ look: Look) throws(SQLError) {
        if !queue.isEmpty { _ = try result(of: 1, look) }
    }

    /// The server has answered all of it.
    func leaveQueue() {
        queue = StatementQueue()
        unsafe _ = PQexitPipelineMode(handle)
    }

    private func queue(_ sql: String) throws(SQLError) {
        try enterQueue()
        guard send(sql) == 1 else { throw broken() }
        queue.count += 1
    }

    private func enterQueue() throws(SQLError) {
        guard queue.isEmpty else { return }
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw broken() }
        queue.endsInTransaction = isInTransaction
    }

    private func send(_ sql: String) -> Int32 { unsafe PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) }
}
