internal import EventLoops

extension Database {
    /// How long to wait before asking again whether another replica still runs.
    private static let pause = Duration.milliseconds(500)

    /// Records that this replica runs, and where it keeps what is not in the database. Replicas that run at the same
    /// time have to keep that at the same place: one that finds another place waits until the other may have died, and
    /// then gives up. Does nothing in a database that one process has to itself.
    /// - Parameters:
    ///   - place: the same text for the same place.
    ///   - now: returns milliseconds since 1970.
    ///   - patience: how long to wait.
    package func join(
        at place: String, now: @Sendable () -> Int64, patience: Duration = JobRunner.life + .seconds(1)
    ) async throws(SQLError) {
        guard isShared else { return }
        let end = MonotonicTime.now + patience
        while let other = try await claim(place, now()) {
            guard .now < end, (try? await Task.sleep(for: Self.pause)) != nil else {
                throw SQLError(
                    .refused,
                    "replica \(other) of this service runs on the same database and keeps its files elsewhere; give all"
                        + " replicas the same --blobs, or run one")
            }
        }
    }

    /// The name of a replica that runs and keeps its files elsewhere; nil once this one is recorded.
    private func claim(_ place: String, _ now: Int64) async throws(SQLError) -> String? {
        let (replica, end) = (replica, now + JobRunner.life.wholeMilliseconds)
        return try await write { transaction throws(SQLError) in
            let other = try transaction.first(
                "SELECT name FROM replicas WHERE name <> ?1 AND place <> ?2 AND place <> '' AND alive_until_ms > ?3",
                replica, place, transaction.shared(now)
            ) { row throws(SQLError) in try row.text(0) }
            if let other { return other }
            try transaction.keepAlive(replica, until: end)
            try transaction.execute("UPDATE replicas SET place = ?2 WHERE name = ?1", replica, place)
            return nil
        }
    }

    /// Records that this replica has stopped: what it held is free at once.
    func part() async {
        guard isShared else { return }
        _ = try? await write(.statements) { [replica] transaction throws(SQLError) in
            try transaction.execute("DELETE FROM replicas WHERE name = ?1", replica)
        }
    }
}

extension Transaction {
    /// Whether a replica has said lately that it runs, at a time in milliseconds since 1970.
    package func isAlive(_ replica: String, at now: Int64) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM replicas WHERE name = ?1 AND alive_until_ms > ?2", replica, shared(now)) {
            row throws(SQLError) in try row.integer(0)
        } != nil
    }
}
