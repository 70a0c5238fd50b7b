import Daemon
import Storage
import Stores

extension PhotoStore {
    /// Ends a job that nothing can be done about: its key names nothing.
    func drop(_ lease: JobLease) async throws(StoreError) {
        let time = clock.unixMilliseconds
        try await write { transaction throws(SQLError) in _ = try transaction.complete(lease, at: time) }
    }

    /// Asks for a scan of the folder; one that runs is followed by another.
    func startScan(deadline: ContinuousClock.Instant? = nil) async throws(StoreError) {
        try await start("scan", ScanJob.key, deadline)
    }

    /// Asks for a sweep.
    func startSweep() async throws(StoreError) { try await start("sweep", SweepJob.key, nil) }

    private func start(_ kind: String, _ key: String, _ deadline: ContinuousClock.Instant?) async throws(StoreError) {
        let time = clock.unixMilliseconds
        try await write(deadline: deadline) { transaction throws(SQLError) in
            try transaction.enqueue(kind, key, at: time)
        }
    }
}
