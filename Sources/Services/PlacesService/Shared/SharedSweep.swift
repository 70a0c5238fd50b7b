import Daemon
import Storage
import Stores

/// Removes what replicas no longer need: idle uploads, answers to changes of yesterday, and bytes in the bucket that no
/// row names. Then requests the next sweep.
struct SharedSweep: Sendable {
    static let name = "sweep"
    private static let pause: Int64 = 3_600_000
    /// How old bytes without a row have to be, in milliseconds: longer than it takes to write the row.
    private static let grace: Int64 = 3_600_000
    private static let maximumRows = 10_000

    let database: Database
    let blobs: any Blobs
    let clock: WallClock
    let log: Log?

    var kind: JobKind {
        JobKind(
            Self.name, workers: 1, timeout: .seconds(3_600), backoff: .milliseconds(250)...(.milliseconds(Self.pause)),
            body: run)
    }

    /// Requests the first one.
    func request() async throws(SQLError) {
        let now = clock.unixMilliseconds
        try await database.write { transaction throws(SQLError) in try transaction.enqueue(Self.name, "blobs", at: now)
        }
    }

    private func run(_ lease: JobLease) async throws {
        let now = clock.unixMilliseconds
        let idle = Uploads.idleTime.components.seconds * 1_000
        let rows = try await database.write { transaction throws(SQLError) in
            try transaction.dropIdleUploads(since: now - idle, at: now)
                + transaction.deleteRequests(before: now - Change.lifeMilliseconds, limit: Self.maximumRows)
        }
        let sweep = try await blobs.sweep(olderThan: Self.grace, now: now) { names in
            try await database.read { transaction throws(SQLError) in try transaction.needed(names) }
        }
        try await database.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: now) else { return try transaction.undo() }
            try transaction.enqueueNext(Self.name, lease.key, at: now + Self.pause)
        }
        log?.info(
            "sweep finished", ["removed": "\(sweep.removed)", "kept": "\(sweep.kept)", "rows": "\(rows)"])
    }
}
