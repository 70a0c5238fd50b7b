internal import EventLoops

extension Database {
    /// Upgrades the schema, then starts the threads, each with a connection of its own.
    func start(
        _ address: PostgresAddress, _ migrations: [Migration], _ settings: DatabaseSettings
    ) async throws(SQLError) {
        let half = max(1, settings.connections / 2)
        try await startWorker("sql-writer-1", address, .write, settings) { connection throws(SQLError) in
            try PostgresSchema(connection: connection).upgrade(migrations)
        }
        for number in 2..<(half + 1) { try await startWorker("sql-writer-\(number)", address, .write, settings) }
        for number in 1...half { try await startWorker("sql-reader-\(number)", address, .read, settings) }
    }

    private func startWorker(
        _ name: String, _ address: PostgresAddress, _ access: SQLAccess, _ settings: DatabaseSettings,
        setUp: @escaping @Sendable (PostgresConnection) throws(SQLError) -> Void = { _ throws(SQLError) in }
    ) async throws(SQLError) {
        let (queue, counters) = (access == .write ? writes : reads, counters)
        try await (access == .write ? writers : readers).start(name) { () throws(SQLError) in
            let connection = PostgresConnection(address, settings)
            try setUp(connection)
            return PostgresWorker(connection: connection, queue: queue, counters: counters, access: access)
        } work: {
            $0.run()
        }
    }
}
