package import Storage

extension Transaction {
    /// Counts one more attempt, in advance: guesses that are sent all at once are counted before the first is answered.
    /// Returns the milliseconds to wait when one of the counts is full; then nothing is counted.
    ///
    /// One attempt after the other is forgotten, evenly over the time: who is behind a full address waits for the next
    /// to be forgotten, not for all of them.
    package func attempt(_ counts: [AttemptCount], at time: Int64) throws(SQLError) -> Int64? {
        var levels: [AttemptLevel] = []
        for count in counts {
            let row = try first(
                "SELECT failures, since_ms FROM log_in_attempts WHERE name = ?1 /*+ FOR UPDATE */", count.key
            ) { row throws(SQLError) in (failures: try row.integer(0), since: try row.integer(1)) }
            let level = AttemptLevel(row?.failures ?? 0, since: row?.since ?? time, count, at: time)
            if let wait = level.wait(count, at: time) { return wait }
            levels.append(level)
        }
        for (count, level) in zip(counts, levels) {
            try execute(
                """
                INSERT INTO log_in_attempts (name, failures, since_ms) VALUES (?1, ?2, ?3)
                ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, since_ms = excluded.since_ms
                """, count.key, level.failures + 1, level.since)
        }
        return nil
    }

    /// The attempt was right: it does not count.
    package func succeeded(_ counts: [AttemptCount]) throws(SQLError) {
        for count in counts {
            try execute(
                "UPDATE log_in_attempts SET failures = failures - 1 WHERE name = ?1 AND failures > 0", count.key)
        }
    }
}

extension Database {
    /// Runs what was counted as an attempt. One that is refused or cut off shows nothing to who made it, so it does not
    /// count: else others who fill a queue would lock the right one out.
    package func counted<Value>(
        _ counts: [AttemptCount], _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            // In a task of its own, as this one may have been cancelled.
            let giveBack = Task {
                try await write { transaction throws(SQLError) in try transaction.succeeded(counts) }
            }
            _ = await giveBack.result
            throw error
        }
    }
}
