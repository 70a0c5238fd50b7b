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

/// The tables of jobs; a store that has jobs adds this to its migrations.
package enum JobSchema {
    package static let migration = Migration(
        "jobs",
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
            PRIMARY KEY (kind, key)
        );
        CREATE INDEX jobs_by_time ON jobs (kind, next_ms, key);
        CREATE TABLE job_leases (id BIGINT PRIMARY KEY, last BIGINT NOT NULL);
        INSERT INTO job_leases (id, last) VALUES (1, 0);
        """)

    /// The next step, placed after all steps of a store that had only the first.
    package static let leases = Migration(
        "jobs by lease",
        """
        CREATE INDEX jobs_leased ON jobs (kind, lease_end_ms) WHERE lease <> 0;
        """)

    /// The step behind `leases`.
    package static let kills = Migration(
        "kills of jobs",
        """
        ALTER TABLE jobs ADD COLUMN kills BIGINT NOT NULL DEFAULT 0;
        """)

    /// The step behind `kills`: whose a lease is, and which replicas are alive.
    package static let owners = Migration(
        "owners of jobs",
        """
        ALTER TABLE jobs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
        CREATE INDEX jobs_by_owner ON jobs (owner) WHERE lease <> 0;
        CREATE TABLE replicas (name TEXT PRIMARY KEY, alive_until_ms BIGINT NOT NULL);
        """)
}
