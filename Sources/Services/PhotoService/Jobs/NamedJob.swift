import Daemon
import LiveNetworks
import Storage

/// Finds the photos that the entry of a place names, when the place's album is opened.
struct NamedJob: Sendable {
    static let name = "named"
    /// How long an answer is valid, in milliseconds.
    static let expiry: Int64 = 24 * 3_600_000

    let store: PhotoStore
    let networks: PhotoNetworks

    var kind: JobKind {
        JobKind(Self.name, workers: 2, timeout: .seconds(60), reach: SearchJob.longestPause, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        guard case .place(let id)? = AlbumSubject(lease.key) else { return try await store.drop(lease) }
        let known = try await store.read { transaction throws(SQLError) in
            (try transaction.knownPlace(id), try transaction.pictureNames(of: id))
        }
        guard case (let place?, let names) = known else { return try await store.drop(lease) }
        let found = try await networks.photos(named: names, of: place)
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            let pause = found.failures.compactMap {
                NextSearch.pause(after: $0.failure.kind, lease.tries, asked: $0.failure.retryAfterMilliseconds)
            }.min()
            guard try transaction.end(lease, pause, found.warnings, at: time) else { return try transaction.undo() }
            try transaction.listNamed(found, of: place, at: time)
        }
    }
}
