internal import EventLoops
internal import Synchronization

/// One database: transactions that write, and others that only read and never wait for those.
///
/// Every transaction runs on a storage thread that owns its connection; callers only await. No code here or above
/// depends on which engine keeps the data.
package final class Database: Sendable {
    let writes: WorkQueue<Request>
    let reads: WorkQueue<Request>
    let writers = ThreadCrew()
    let readers = ThreadCrew()
    /// Ends what else runs.
    private let ending = Mutex<[@Sendable () -> Void]>([])
    /// Runs when the last thread has ended.
    private let ended = Mutex<[@Sendable () -> Void]>([])
    let counters = DatabaseCounters()
    /// Whether other processes may use it at the same time.
    package let isShared: Bool
    /// Identifies this process among those that share the database.
    package let replica: String
    /// Notifies who waits for changes.
    package let notices = Notices()

    private init(_ settings: DatabaseSettings, isShared: Bool) {
        self.isShared = isShared
        // A file has one process at a time, and so each goes on with what the one before it began.
        replica = isShared ? settings.replica ?? "\(UInt64.random(in: 0 ... .max))" : ""
        writes = WorkQueue(limit: settings.waitingWrites)
        reads = WorkQueue(limit: settings.waitingReads)
    }

    deinit {
        refuse(writes.close() + reads.close())
        endOthers()
        readers.detach()
        writers.detach()
    }

    /// Opens the database at `address`, a path, `sqlite:PATH` or `postgresql://…`, creating its tables if necessary,
    /// and upgrades it to the schema that `migrations` describe. Refused when the database has migrations that the
    /// program does not know.
    package static func open(
        _ address: String, migrations: [Migration], settings: DatabaseSettings = DatabaseSettings()
    ) async throws(SQLError) -> Database {
        let address = try DatabaseAddress(address, settings)
        let database = Database(settings, isShared: address.isShared)
        do throws(SQLError) {
            switch address {
            case .sqlite(let path): try await database.start(path, migrations, settings)
            case .postgres(let address): try await database.start(address, migrations, settings)
            }
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    /// Runs `body` in a transaction and returns once its changes would survive a power cut. An error that it throws
    /// undoes all its changes. It may run more than once, so its only effects are its SQL. Past `deadline`, or when the
    /// task is cancelled, it is stopped and undone, unless it was already being written to the disk.
    package func write<Value: Sendable>(
        _ scope: WriteScope = .everything, deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(SQLError) -> Value {
        try await run(scope, deadline, body, on: writes)
    }

    /// Runs `body` on one unchanging snapshot of the data, which contains everything acknowledged before the call.
    package func read<Value: Sendable>(
        _ scope: ReadScope = .snapshot, deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(SQLError) -> Value {
        try await run(scope == .statement ? .statement : .statements, deadline, body, on: reads)
    }

    /// Finishes running transactions, refuses waiting ones, and returns when the threads have ended. May be called
    /// again.
    package func close() async {
        refuse(writes.drain() + reads.close())
        endOthers()
        // The writers' connections close last: SQLite copies the log into the file only when the last connection
        // closes, and then a single file is left.
        await readers.join()
        refuse(writes.close())
        await writers.join()
        let ends = ended.withLock { ends in
            defer { ends = [] }
            return ends
        }
        for end in ends { end() }
    }

    /// Its counters so far.
    package var metrics: DatabaseMetrics {
        var metrics = counters.snapshot
        metrics.waitingWrites = writes.depth
        metrics.waitingReads = reads.depth
        return metrics
    }

    private func run<Value: Sendable>(
        _ scope: WriteScope, _ deadline: ContinuousClock.Instant?,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value,
        on queue: WorkQueue<Request>
    ) async throws(SQLError) -> Value {
        let result = RequestValue<Value>()
        try await run(
            Request(scope, deadline: deadline) { transaction throws(SQLError) in result.value = try body(transaction) },
            on: queue)
        guard let value = result.value else { preconditionFailure("a request was answered without its value") }
        return value
    }

    private func run(_ request: Request, on queue: WorkQueue<Request>) async throws(SQLError) {
        let result = await withTaskCancellationHandler {
            await Request.Caller.suspend { caller in
                guard request.wait(caller) else { return }
                submit(request, to: queue)
            }
        } onCancel: {
            request.cancel()
        }
        return try result.get()
    }

    private func submit(_ request: Request, to queue: WorkQueue<Request>) {
        switch queue.offer(request) {
        case .accepted: break
        case .closed: refuse([request])
        case .full:
            counters.refused.add(1, ordering: .relaxed)
            request.answer(SQLError(.busy, "too many transactions wait for the database; try again later"))
        }
    }

    /// Calls `end` when the database is closed.
    func atClose(_ end: @escaping @Sendable () -> Void) { ending.withLock { $0.append(end) } }

    /// Calls `end` once all connections are closed.
    func atEnd(_ end: @escaping @Sendable () -> Void) { ended.withLock { $0.append(end) } }

    private func endOthers() {
        let ends = ending.withLock { ends in
            defer { ends = [] }
            return ends
        }
        for end in ends { end() }
    }

    private func refuse(_ requests: [Request]) {
        for request in requests { request.answer(SQLError(.closed, "the database is closed")) }
    }
}
