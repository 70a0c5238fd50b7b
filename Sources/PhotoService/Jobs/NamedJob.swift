import Daemon
import LiveNetworks
import Storage

/// Finds the photos that the entry of a place names, when the place's album is opened.
struct NamedJob: Sendable {
    static let name = "named"
    /// How long an answer is valid, in milliseconds.
    static let expiry: Int64 = 24 * 3_600_000
    /// When a network that gave no answer is asked again, in milliseconds, unless it says when.
    private static let pause: Int64 = 60_000

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
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            try transaction.list(found, of: place, at: time)
            guard let failure = found.failure?.failure, failure.kind.mayPass else { return }
            let pause = max(Self.pause, failure.retryAfterMilliseconds ?? 0)
            try transaction.enqueue(lease.kind, lease.key, at: time + pause)
        }
    }
}
