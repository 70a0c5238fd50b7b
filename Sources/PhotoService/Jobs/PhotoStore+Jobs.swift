import ServiceRuntime
import Storage

extension PhotoStore {
    /// Ends a job that nothing can be done about: its key names nothing.
    func drop(_ lease: JobLease) async throws(StoreError) {
        let time = clock.unixMilliseconds
        try await write { transaction throws(SQLError) in _ = try transaction.complete(lease, at: time) }
    }
}
