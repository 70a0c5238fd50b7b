internal import EventLoops

extension Database {
    /// Upgrades the schema, then starts the threads, each with a connection of its own.
    func start(
        _ address: PostgresAddress, _ migrations: [Migration], _ settings: DatabaseSettings
    ) async throws(SQLError) {
        let (half, clock) = (max(1, settings.connections / 2), SharedClock())
        try await startWorker("sql-writer-1", address, .write, settings, clock) { connection throws(SQLError) in
            try PostgresSchema(connection: connection).upgrade(migrations)
        }
        for number in 2..<(half + 1) { try await startWorker("sql-writer-\(number)", address, .write, settings, clock) }
        for number in 1...half { try await startWorker("sql-reader-\(number)", address, .read, settings, clock) }
        let exchange = PostgresNotices(address, settings, notices, clock)
        atClose { exchange.close() }
        try await readers.start("sql-notify") { () throws(SQLError) in
            exchange
        } work: {
            $0.notify()
        }
        try await readers.start("sql-listen") { () throws(SQLError) in
            exchange
        } work: {
            $0.listen()
        }
    }

    private func startWorker(
        _ name: String, _ address: PostgresAddress, _ access: SQLAccess, _ settings: DatabaseSettings,
        _ clock: SharedClock,
        setUp: @escaping @Sendable (PostgresConnection) throws(SQLError) -> Void = { _ throws(SQLError) in }
    ) async throws(SQLError) {
        let (queue, counters, notices) = (access == .write ? writes : reads, counters, notices)
        try await (access == .write ? writers : readers).start(name) { () throws(SQLError) in
            let connection = PostgresConnection(address, settings, clock, access)
            try setUp(connection)
            return PostgresWorker(
                connection: connection, queue: queue, counters: counters, access: access, notices: notices)
        } work: {
            $0.run()
        }
    }
}
