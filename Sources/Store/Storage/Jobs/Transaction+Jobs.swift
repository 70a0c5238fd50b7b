extension Transaction {
    /// Requests a job, to be run at `time` (milliseconds since 1970) or later. A waiting job is run once however often
    /// it was requested; one that is running will run once more. A job that may have killed a process keeps the wait
    /// set for it.
    package func enqueue(_ kind: String, _ key: String, at time: Int64) throws(SQLError) {
        announce(JobKind.subject(kind))
        try execute(
            """
            INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
            VALUES (?1, ?2, 0, ?3, 0, 0, FALSE, '')
            ON CONFLICT (kind, key) DO UPDATE SET
                next_ms = CASE WHEN jobs.lease = 0 AND jobs.kills = 0 THEN excluded.next_ms ELSE jobs.next_ms END,
                tries = CASE WHEN jobs.lease = 0 THEN 0 ELSE jobs.tries END,
                is_wanted_again = jobs.lease <> 0
            """, kind, key, shared(time))
    }

    /// Requests a job's next run behind one that ended: not where it was requested for an earlier time meanwhile.
    package func enqueueNext(_ kind: String, _ key: String, at time: Int64) throws(SQLError) {
        announce(JobKind.subject(kind))
        try execute(
            """
            INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
            VALUES (?1, ?2, 0, ?3, 0, 0, FALSE, '')
            ON CONFLICT (kind, key) DO NOTHING
            """, kind, key, shared(time))
    }

    /// Cancels a job. One that is running finds at its end that it is no longer needed.
    package func cancelJob(_ kind: String, _ key: String) throws(SQLError) {
        try execute("DELETE FROM jobs WHERE kind = ?1 AND key = ?2", kind, key)
    }

    /// Ends a job within the transaction that holds its last effect. False when the lease is no longer valid: then
    /// nothing of this run may remain, and the caller undoes it.
    package func complete(_ lease: JobLease, at time: Int64) throws(SQLError) -> Bool {
        let ended = try change(
            "DELETE FROM jobs WHERE kind = ?1 AND key = ?2 AND lease = ?3 AND is_wanted_again = FALSE",
            lease.kind, lease.key, lease.token)
        if ended > 0 { return true }
        announce(JobKind.subject(lease.kind))
        return try change(
            """
            UPDATE jobs SET lease = 0, lease_end_ms = 0, tries = 0, kills = 0, next_ms = ?4, is_wanted_again = FALSE,
                reason = ''
            WHERE kind = ?1 AND key = ?2 AND lease = ?3
            """, lease.kind, lease.key, lease.token, shared(time)) > 0
    }

    /// Whether the lease is still valid; it stays so until the end of the transaction.
    package func holds(_ lease: JobLease) throws(SQLError) -> Bool {
        try first(
            "SELECT 1 FROM jobs WHERE kind = ?1 AND key = ?2 AND lease = ?3 /*+ FOR UPDATE */", lease.kind, lease.key,
            lease.token
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Releases a job that failed; it runs again at `time`. If it was requested again meanwhile, it starts afresh,
    /// since the request may be about something else: it runs again `now`. False when the lease is no longer valid.
    package func retry(_ lease: JobLease, at time: Int64, now: Int64, reason: String) throws(SQLError) -> Bool {
        announce(JobKind.subject(lease.kind))
        return try change(
            """
            UPDATE jobs SET lease = 0, lease_end_ms = 0, kills = 0, is_wanted_again = FALSE, reason = ?7,
                tries = CASE WHEN is_wanted_again THEN 0 ELSE ?4 END,
                next_ms = CASE WHEN is_wanted_again THEN ?6 ELSE ?5 END
            WHERE kind = ?1 AND key = ?2 AND lease = ?3
            """, lease.kind, lease.key, lease.token, lease.tries + 1, shared(time), shared(now), reason) > 0
    }

    /// Releases all leases of an owner: for a process that stops and has cancelled its running jobs.
    func releaseJobs(of owner: String) throws(SQLError) {
        for kind in try rows("SELECT DISTINCT kind FROM jobs WHERE owner = ?1 AND lease <> 0", owner, read: Self.text) {
            announce(JobKind.subject(kind))
        }
        try execute(
            "UPDATE jobs SET lease = 0, lease_end_ms = 0, is_wanted_again = FALSE WHERE owner = ?1 AND lease <> 0",
            owner)
    }

    /// Records that a replica is alive until a time, and forgets those that have long been gone.
    func keepAlive(_ replica: String, until time: Int64) throws(SQLError) {
        try execute(
            """
            INSERT INTO replicas (name, alive_until_ms) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET alive_until_ms = excluded.alive_until_ms
            """, replica, shared(time))
        try execute("DELETE FROM replicas WHERE alive_until_ms < ?1", shared(time - 86_400_000))
    }

    /// Releases the leases that an owner held when its process died: right after its start. A job that was running may
    /// have caused the death. So it is counted, and waits, longer each time: the other jobs get their turn first.
    func recoverJobs(of owner: String, at time: Int64) throws(SQLError) {
        let cutOff = try rows("SELECT kind, key, kills FROM jobs WHERE owner = ?1 AND lease <> 0", owner) {
            row throws(SQLError) in (kind: try row.text(0), key: try row.text(1), kills: Int(try row.integer(2)))
        }
        for job in cutOff {
            let wait = JobKind.delay(in: JobKind.defaultBackoff, tries: job.kills, jitter: .random(in: 0...1))
            try execute(
                """
                UPDATE jobs SET lease = 0, lease_end_ms = 0, is_wanted_again = FALSE, kills = ?3, next_ms = ?4
                WHERE kind = ?1 AND key = ?2
                """, job.kind, job.key, job.kills + 1, shared(time + wait))
        }
    }

    private static func text(_ row: borrowing Row) throws(SQLError) -> String { try row.text(0) }
}

// Whenever the bell of a kind is rung, these two statements are run, so an index serves each part of them: however many
// jobs wait, few rows are read. A job with a lease was due, so for it only the lease counts.

extension Transaction {
    /// Takes jobs of a kind: those whose lease has expired or whose owner is dead, then those with the earliest due
    /// time. One that another replica is just taking is passed over. A lost lease of another replica counts as its
    /// death. It is one statement, so a transaction of it needs no other.
    func claimJobs(
        _ kind: String, _ times: JobTimes, for owner: String, atMost limit: Int = 1
    ) throws(SQLError) -> [JobLease] {
        let (times, token) = (times.shared(by: self), Int64.random(in: 1 ... .max))
        return try rows(
            """
            WITH lost AS MATERIALIZED (
                SELECT key FROM jobs
                WHERE kind = ?1 AND lease <> 0 AND (lease_end_ms <= ?2 OR lease_end_ms > ?3 OR owner <> ?4
                    AND NOT EXISTS (SELECT 1 FROM replicas WHERE name = jobs.owner AND alive_until_ms > ?2))
                LIMIT ?5 /*+ FOR UPDATE OF jobs SKIP LOCKED */),
            due AS MATERIALIZED (
                SELECT key, next_ms FROM jobs
                WHERE kind = ?1 AND lease = 0 AND next_ms <= ?2 ORDER BY next_ms, key LIMIT ?5
                /*+ FOR UPDATE SKIP LOCKED */),
            ahead AS MATERIALIZED (
                SELECT key, next_ms FROM jobs
                WHERE kind = ?1 AND lease = 0 AND next_ms > ?6 ORDER BY next_ms, key LIMIT ?5
                /*+ FOR UPDATE SKIP LOCKED */),
            chosen AS MATERIALIZED (
                SELECT key FROM (
                    SELECT key, 1 AS turn, 0 AS next_ms FROM lost UNION ALL SELECT key, 2, next_ms FROM due
                    UNION ALL SELECT key, 3, next_ms FROM ahead) AS found
                ORDER BY turn, next_ms, key LIMIT ?5)
            UPDATE jobs SET lease = ?7, lease_end_ms = ?8, owner = ?4,
                kills = CASE WHEN lease <> 0 AND owner <> ?4 THEN kills + 1 ELSE kills END
            WHERE kind = ?1 AND key IN (SELECT key FROM chosen) RETURNING key, tries, kills
            """, kind, times.now, times.latestLease, owner, limit, times.latestStart, token, times.leaseEnd
        ) { row throws(SQLError) in
            JobLease(
                kind: kind, key: try row.text(0), token: token, tries: Int(try row.integer(1)),
                kills: Int(try row.integer(2)))
        }
    }

    /// When the next job of a kind is due, at or before `times.now` when `claimJobs` would take one; nil when there is
    /// none.
    func nextJobTime(_ kind: String, _ times: JobTimes, for owner: String) throws(SQLError) -> Int64? {
        let here = times.now
        let times = times.shared(by: self)
        let due = try first(
            """
            SELECT min(due) FROM (
                SELECT CASE WHEN lease_end_ms > ?4 OR owner <> ?5 AND NOT EXISTS (
                        SELECT 1 FROM replicas WHERE name = jobs.owner AND alive_until_ms > ?2)
                    THEN ?2 ELSE lease_end_ms END AS due FROM jobs
                    WHERE kind = ?1 AND lease <> 0
                UNION ALL
                SELECT * FROM (SELECT next_ms FROM jobs
                    WHERE kind = ?1 AND lease = 0 ORDER BY next_ms LIMIT 1) AS waiting
                UNION ALL
                SELECT * FROM (SELECT ?2 FROM jobs
                    WHERE kind = ?1 AND lease = 0 AND next_ms > ?3 LIMIT 1) AS ahead) AS times
            """, kind, times.now, times.latestStart, times.latestLease, owner
        ) { row throws(SQLError) in try row.optionalInteger(0) }
        guard let due = due ?? nil else { return nil }
        return here.addingClamped(due.addingClamped(-times.now))
    }
}

/// The times that a claim compares with, in milliseconds since 1970. A time further ahead than it can have been set
/// was set before the clock was set back, and counts as passed.
struct JobTimes: Equatable {
    /// How much later another replica may have read the time, in milliseconds: what it has set since then is none of
    /// those times.
    static let slack: Int64 = 60_000

    let now: Int64
    /// The latest time to which a retry can have been set.
    let latestStart: Int64
    /// When a lease taken now ends.
    let leaseEnd: Int64

    /// The latest time at which a lease can end.
    fileprivate var latestLease: Int64 { leaseEnd.addingClamped(Self.slack) }

    /// These times on the clock of the database.
    fileprivate func shared(by transaction: borrowing Transaction) -> JobTimes {
        JobTimes(
            now: transaction.shared(now), latestStart: transaction.shared(latestStart),
            leaseEnd: transaction.shared(leaseEnd))
    }
}
