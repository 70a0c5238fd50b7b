package import Storage

extension Transaction {
    /// Counts one more attempt, in advance: guesses that are sent all at once are counted before the first is answered.
    /// Returns the milliseconds to wait when one of the counts is full; then nothing is counted.
    package func attempt(_ counts: [AttemptCount], at time: Int64) throws(SQLError) -> Int64? {
        for count in counts {
            let row = try first(
                "SELECT failures, since_ms FROM log_in_attempts WHERE name = ?1 /*+ FOR UPDATE */", count.key
            ) { row throws(SQLError) in (failures: try row.integer(0), since: try row.integer(1)) }
            guard let row, row.failures >= count.most else { continue }
            // A row of a clock that was set back since counts no longer than one window.
            let wait = row.since.addingReportingOverflow(count.window).partialValue - time
            if wait > 0 { return min(wait, count.window) }
        }
        for count in counts {
            try execute(
                """
                INSERT INTO log_in_attempts (name, failures, since_ms) VALUES (?1, 1, ?2)
                ON CONFLICT (name) DO UPDATE SET
                    failures = CASE WHEN log_in_attempts.since_ms + ?3 <= ?2 THEN 1
                        ELSE log_in_attempts.failures + 1 END,
                    since_ms = CASE WHEN log_in_attempts.since_ms + ?3 <= ?2 THEN ?2 ELSE log_in_attempts.since_ms END
                """, count.key, time, count.window)
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
