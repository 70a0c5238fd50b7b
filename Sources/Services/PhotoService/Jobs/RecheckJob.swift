import Daemon
import LiveNetworks
import Storage

/// Asks a network again about photos that albums show and that it has not listed for as long as its answers are valid:
/// what it has withdrawn goes from all albums, and what is under another licence is shown under that one.
struct RecheckJob: Sendable {
    static let name = "recheck"
    /// The time to the next look when no photo is due, in milliseconds.
    private static let pause: Int64 = 3_600_000
    /// The time to the next try after a failure, in milliseconds, unless the network says another.
    private static let retry: Int64 = 600_000

    let store: PhotoStore
    let networks: PhotoNetworks

    /// One for each network, whose name is the key. The next run is at most as far ahead as the longest back-off, so
    /// that a clock that was set back does not delay it.
    var kind: JobKind {
        JobKind(
            Self.name, workers: 1, timeout: .seconds(60),
            backoff: .milliseconds(250)...(.milliseconds(Self.pause)), body: run)
    }

    private func run(_ lease: JobLease) async throws {
        let network = lease.key
        let before = store.clock.unixMilliseconds - networks.expiryMilliseconds(of: network)
        let limit = networks.checkLimit(of: network)
        let due = try await store.read { transaction throws(SQLError) in
            try transaction.shownPhotos(of: network, notSeenSince: before, limit: limit)
        }
        let answer = due.isEmpty ? nil : try await networks.check(due, at: network)
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            var wait = due.isEmpty || due.count < limit ? Self.pause : 0
            switch answer {
            case .success(let checked)?: try transaction.recordChecked(checked, of: due, seen: time)
            case .failure(let failure)?: wait = max(Self.retry, failure.retryAfterMilliseconds ?? 0)
            case nil: break
            }
            try transaction.enqueue(lease.kind, lease.key, at: time + min(wait, Self.pause))
        }
    }
}
