internal import EventLoops

extension Database {
    /// Starts the writer, which creates the file and upgrades it, then the readers.
    func start(
        _ path: String, _ migrations: [Migration], _ settings: DatabaseSettings
    ) async throws(SQLError) {
        if let follower = settings.follower { atEnd { follower.didClose() } }
        try await startWriter(path, migrations, settings)
        for number in 1...max(1, settings.readers) { try await startReader(number, path, settings) }
    }

    private func startWriter(
        _ path: String, _ migrations: [Migration], _ settings: DatabaseSettings
    ) async throws(SQLError) {
        let (queue, counters, notices) = (writes, counters, notices)
        try await writers.start("sql-writer") { () throws(SQLError) in
            let opening = try FirstOpening(path)
            let before = ClosedFile(path)
            let connection = try SQLiteConnection(path: path, role: .writer, settings: settings)
            // What is kept of a log that is not followed any more is of an earlier state.
            if settings.follower == nil { LogPosition.remove(of: path) }
            try settings.follower?.begin(connection, before: before)
            try SchemaUpgrade(connection: connection, isMovedInto: settings.isMovedInto).run(migrations)
            opening.finish()
            return GroupCommit(
                connection: connection, queue: queue, counters: counters, settings: settings, notices: notices)
        } work: {
            $0.run()
        }
    }

    private func startReader(_ number: Int, _ path: String, _ settings: DatabaseSettings) async throws(SQLError) {
        let (queue, counters) = (reads, counters)
        try await readers.start("sql-reader-\(number)") { () throws(SQLError) in
            let connection = try SQLiteConnection(path: path, role: .reader, settings: settings)
            return ReaderLoop(connection: connection, queue: queue, counters: counters)
        } work: {
            $0.run()
        }
    }
}
