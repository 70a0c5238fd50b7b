import Daemon
import Storage

/// Tells the photo service that a pin is gone.
struct ForgetJob: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let clock: WallClock

    var kind: JobKind {
        JobKind(Work.forget, workers: 2, timeout: .seconds(60)) { lease in try await run(lease) }
    }

    private func run(_ lease: JobLease) async throws {
        if let (pin, account) = Work.subject(of: lease.key) { try await albums.forget(pin, account: account) }
        try await store.drop(lease, at: clock.unixMilliseconds)
    }
}

extension PinStore {
    /// Ends a job for which nothing is left to do.
    func drop(_ lease: JobLease, at time: Int64) async throws {
        _ = try await database.write { transaction throws(SQLError) in try transaction.complete(lease, at: time) }
    }
}
