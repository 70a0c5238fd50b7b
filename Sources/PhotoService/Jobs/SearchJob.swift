import Daemon
import LiveNetworks
import Storage

/// Finds the photos of a pin and of its places, in the folder and at the networks.
struct SearchJob: Sendable {
    /// When a network that gave no answer is asked again, in milliseconds, unless it says when.
    private static let pause: Int64 = 60_000
    /// How long a network may ask to be left alone.
    static let longestPause = Duration.milliseconds(NetworkRules.longestClosedMilliseconds)
    /// What is known is shown after this time; a network that takes longer adds its photos later.
    private static let firstPatience = Duration.seconds(3)
    /// The time for the networks of an album that can be seen already.
    private static let patience = Duration.seconds(40)

    let store: PhotoStore
    var networks: PhotoNetworks?

    var kind: JobKind {
        JobKind("search", workers: 4, timeout: .seconds(60), reach: Self.longestPause, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        guard case .pin(let pin)? = AlbumSubject(lease.key) else { return try await store.drop(lease) }
        let album = try await store.read { transaction throws(SQLError) in try transaction.album(.pin(pin)) }
        let isListed = album.map { $0.searchedGeneration == $0.generation } ?? false
        let findings =
            if let album, let networks {
                try await networks.search(
                    of: album.account,
                    at: try await store.enabledNetworks(of: album.account).limited(to: album.networks),
                    around: album.centre, radiusMetres: album.radiusMetres,
                    patience: isListed ? Self.patience : Self.firstPatience)
            } else { [NetworkFinding]() }
        let found = try await store.read { transaction throws(SQLError) in try transaction.pinPhotos(pin) }
        let time = store.clock.unixMilliseconds
        let warnings = findings.filter { !$0.message.isEmpty }.map { "\($0.network): \($0.message)" }
        let again = findings.compactMap { Self.pause($0, isListed: isListed) }.min()
        let answers: NetworkAnswers = again == nil ? .all : again == 0 ? .awaited : .lacking
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            guard let found else { return }
            try transaction.list(found, for: pin, warnings, answers, at: time)
            if let again { try transaction.enqueue(lease.kind, lease.key, at: time + again) }
        }
    }

    /// How long to wait before a network is asked again that gave no answer; nil when it gave one.
    private static func pause(_ finding: NetworkFinding, isListed: Bool) -> Int64? {
        guard case .failed(let kind) = finding.status, kind.mayPass else { return nil }
        // It is usually still being asked: the next search waits for the same answer.
        if kind == .timeout, !isListed { return 0 }
        return max(pause, finding.retryAfterMilliseconds ?? 0)
    }
}

/// Finds other photos for an album and swaps them in.
struct CollectJob: Sendable {
    private static let patience = Duration.seconds(40)

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
