import Daemon
import LiveNetworks
import Storage

/// How long a run waits for the networks: what is known is shown then. The first run is short.
struct SearchPatience: Sendable {
    var first = Duration.seconds(3)
    var later = Duration.seconds(10)
}

/// Finds the photos of a pin and of its places, in the folder and at the networks. An album shows what is there: a
/// network that does not answer is waited for a little, and then asked again behind it.
struct SearchJob: Sendable {
    /// How long a network may ask to be left alone.
    static let longestPause = Duration.milliseconds(NetworkRules.longestClosedMilliseconds)

    let store: PhotoStore
    var networks: PhotoNetworks?
    var patience = SearchPatience()

    var kind: JobKind {
        JobKind("search", workers: 8, timeout: .seconds(60), reach: Self.longestPause, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        guard case .pin(let pin)? = AlbumSubject(lease.key) else { return try await store.drop(lease) }
        let album = try await store.read { transaction throws(SQLError) in try transaction.album(.pin(pin)) }
        let findings =
            if let album, let networks {
                try await networks.search(
                    of: album.account,
                    at: try await store.enabledNetworks(of: album.account).limited(to: album.networks),
                    around: album.centre, radiusMetres: album.radiusMetres,
                    patience: lease.tries == 0 ? patience.first : patience.later)
            } else { [NetworkFinding]() }
        let found = try await store.read { transaction throws(SQLError) in try transaction.pinPhotos(pin) }
        let time = store.clock.unixMilliseconds
        let warnings = findings.filter { !$0.message.isEmpty }.map { "\($0.network): \($0.message)" }
        let next = found == nil ? NextSearch.none : NextSearch(after: findings, tries: lease.tries)
        try await store.write { transaction throws(SQLError) in
            guard try transaction.end(lease, next.pause, warnings, at: time) else { return try transaction.undo() }
            if let found { try transaction.listPinPhotos(found, for: pin, warnings, next.answers, at: time) }
        }
    }
}

extension Transaction {
    /// Ends a search, or has it repeated after so many milliseconds. False when its lease is lost.
    func end(_ lease: JobLease, _ pause: Int64?, _ reasons: [String], at time: Int64) throws(SQLError) -> Bool {
        guard let pause else { return try complete(lease, at: time) }
        return try retry(lease, at: time + pause, now: time, reason: reasons.joined(separator: "; "))
    }
}

/// Gives a pin and its places what is stored by now, and asks no network: there are other photos in the folder, or
/// other places.
struct RelistJob: Sendable {
    static let name = "relist"

    let store: PhotoStore

    var kind: JobKind { JobKind(Self.name, workers: 2, timeout: .seconds(60), body: run) }

    private func run(_ lease: JobLease) async throws {
        guard case .pin(let pin)? = AlbumSubject(lease.key) else { return try await store.drop(lease) }
        let found = try await store.read { transaction throws(SQLError) in try transaction.pinPhotos(pin) }
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            if let found { try transaction.listPinPhotos(found, for: pin, [], .unasked, at: time) }
        }
    }
}

/// Finds other photos for an album and swaps them in.
struct CollectJob: Sendable {
    private static let patience = Duration.seconds(10)

    let store: PhotoStore
    var networks: PhotoNetworks?

    var kind: JobKind { JobKind("collect", workers: 1, timeout: .seconds(60), body: run) }

    private func run(_ lease: JobLease) async throws {
        guard let subject = AlbumSubject(lease.key) else { return try await store.drop(lease) }
        let album = try await store.read { transaction throws(SQLError) in try transaction.album(subject) }
        if let album, let networks {
            _ = try await networks.search(
                of: album.account,
                at: try await store.enabledNetworks(of: album.wish?.account ?? album.account)
                    .limited(to: album.networks),
                around: album.centre, radiusMetres: album.radiusMetres, patience: Self.patience)
        }
        let (found, changes) = try await store.read { transaction throws(SQLError) in
            (try transaction.candidates(for: subject), try transaction.placeChanges())
        }
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            // Which photos belong to a place may be different when there are other places by now.
            let isCurrent = try transaction.placeChanges() == changes
            let found = isCurrent ? found : try transaction.candidates(for: subject)
            if let found { try transaction.collect(found, for: subject, at: time) }
        }
    }
}
