/// The right to run one job until its lease ends. A later lease has another token, and then writes under this one are
/// refused.
package struct JobLease: Equatable, Sendable {
    /// The kind of the job: "discover".
    package let kind: String
    /// What the job is for: unique within its kind.
    package let key: String
    /// The fencing token: no other lease of the job has had it.
    package let token: Int64
    /// Runs before this one that failed since the job was requested.
    package let tries: Int
    /// Runs right before this one during which the process died, possibly because of them.
    package let kills: Int
}

/// The tables of jobs: whose a lease is, which replicas are alive, and where each keeps what is not in the database. A
/// store that has jobs adds this to its migrations.
package enum JobSchema {
    package static let migration = Migration(
        "0.2.0 jobs",
        """
        CREATE TABLE jobs (
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            tries BIGINT NOT NULL,
            next_ms BIGINT NOT NULL,
            lease BIGINT NOT NULL,
            lease_end_ms BIGINT NOT NULL,
            is_wanted_again BOOLEAN NOT NULL,
            reason TEXT NOT NULL,
            kills BIGINT NOT NULL DEFAULT 0,
            owner TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (kind, key)
        );
        CREATE INDEX jobs_by_time ON jobs (kind, next_ms, key);
        CREATE INDEX jobs_leased ON jobs (kind, lease_end_ms) WHERE lease <> 0;
        CREATE INDEX jobs_by_owner ON jobs (owner) WHERE lease <> 0;
        CREATE TABLE replicas (
            name TEXT PRIMARY KEY,
            alive_until_ms BIGINT NOT NULL,
            place TEXT NOT NULL DEFAULT ''
        );
        """)
}
