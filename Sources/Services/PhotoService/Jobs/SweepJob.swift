import Daemon
import LiveNetworks
import Storage
import Stores

/// Removes what is no longer needed: unreferenced bytes, recorded answers and forgotten pins of yesterday, records of
/// missing files, photos of networks that nothing shows. Then requests the next sweep.
struct SweepJob: Sendable {
    static let key = "blobs"
    /// Rows removed in one sweep, per table: the rest is left for the next.
    private static let maximumRows = 10_000

    let store: PhotoStore
    let pictures: PictureStore
    /// How old bytes without a row have to be, in milliseconds: longer than it takes to write the row.
    let grace: Int64
    /// The time from one sweep to the next, in milliseconds.
    let pause: Int64
    let log: Log?

    /// The next run may be at most as far ahead as the longest back-off: otherwise a clock that was set back would
    /// delay it.
    var kind: JobKind {
        let longest = max(Duration.seconds(30), .milliseconds(pause))
        return JobKind(
            "sweep", workers: 1, timeout: .seconds(3_600), backoff: .milliseconds(250)...longest, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        let time = store.clock.unixMilliseconds
        let pause = pause
        let rows = try await store.write { transaction throws(SQLError) in
            try transaction.deleteCells(expiredBefore: time)
            return try transaction.deleteRequests(before: time - Change.lifeMilliseconds, limit: Self.maximumRows)
                + transaction.dropTombstones(before: time - Transaction.tombstoneLife, limit: Self.maximumRows)
                + transaction.dropGone(limit: Self.maximumRows) + transaction.dropExpired(limit: Self.maximumRows)
                + transaction.dropUploads(before: time - UploadLimit.life, limit: Self.maximumRows)
                + transaction.dropFailures(before: time - Change.lifeMilliseconds, limit: Self.maximumRows)
                + transaction.deleteRemovals(limit: Self.maximumRows)
        }
        let sweep = try await pictures.sweep(grace: grace, now: time) { names in
            try await store.read { transaction throws(SQLError) in try transaction.needed(names) }
        }
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            try transaction.enqueue("sweep", Self.key, at: time + pause)
        }
        log?.info(
            "sweep finished",
            [
                "removed": "\(sweep.removed)", "kept": "\(sweep.kept)", "unfinished": "\(sweep.unfinished)",
                "rows": "\(rows)",
            ])
    }
}
