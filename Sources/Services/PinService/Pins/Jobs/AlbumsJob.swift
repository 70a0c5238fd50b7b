import Bytes
import EventLoops
import RPC
import Daemon
import Storage

/// Sends the photo service a pin and those of its places that it does not have yet, so that it searches for photos.
struct AlbumsJob: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let clock: WallClock

    static let peer = "photo service"
    /// How many failures in a row mean that a pin waits for the photo service no longer.
    static let maximumFailures = 3

    /// It is repeated until the photo service answers.
    var kind: JobKind {
        JobKind(
            Work.albums, workers: 4, timeout: .seconds(120), isPeerAway: PeerError.isAway,
            settle: { transaction, lease, _, error throws(SQLError) in try settle(transaction, lease, error) },
            tellOthers: tellOthers, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        guard let (id, _) = Work.subject(of: lease.key) else {
            return try await store.drop(lease, at: clock.unixMilliseconds)
        }
        while let (part, position) = try await next(id) {
            try await albums.search(part)
            guard try await recordSent(part, position, lease) else { return }
        }
        try await store.drop(lease, at: clock.unixMilliseconds)
    }

    private func settle(_ transaction: borrowing Transaction, _ lease: JobLease, _ error: any Error) throws(SQLError) {
        let timeout = (error as? JobTimeout).map { PeerError.late($0.description) }
        guard let error = error as? PeerError ?? timeout, let (id, _) = Work.subject(of: lease.key) else { return }
        // One that takes long has been waited for already.
        if case .late = error {} else if lease.tries + 1 < Self.maximumFailures { return }
        let reason = error.words(of: Self.peer)
        guard let pin = try transaction.pin(id) else { return }
        try transaction.recordPhotoTrouble(reason, of: pin)
    }

    private func tellOthers(_ lease: JobLease, _ error: any Error) async {
        guard let error = error as? PeerError, PeerError.isAway(error), lease.tries + 1 >= Self.maximumFailures else {
            return
        }
        try? await store.recordPhotosAway(error.words(of: Self.peer))
    }

    /// What to send next, and how far the updates were read before.
    private func next(_ pin: PinID) async throws -> (part: AlbumSearch, position: FeedPosition)? {
        try await store.database.read { [store] transaction throws(SQLError) in
            let part = try transaction.unsentSearch(of: pin, store.settings)
            let position = try transaction.feedPosition()
            return part.map { ($0, position) }
        }
    }

    /// Records what was sent, unless the photo service's data was replaced meanwhile. False when nothing is left to do.
    private func recordSent(_ part: AlbumSearch, _ position: FeedPosition, _ lease: JobLease) async throws -> Bool {
        let now = clock.unixMilliseconds
        return try await store.database.write { transaction throws(SQLError) in
            guard try transaction.holds(lease) else { return false }
            guard try transaction.feedPosition().epoch == position.epoch else { return true }
            try transaction.markSent(part)
            return part.isLast ? try !transaction.complete(lease, at: now) : true
        }
    }
}

/// Notifies the photo service that a pin was deleted.
struct ForgetJob: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let clock: WallClock

    var kind: JobKind {
        JobKind(Work.forget, workers: 2, timeout: .seconds(60), isPeerAway: PeerError.isAway, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        if let (pin, account) = Work.subject(of: lease.key) { try await albums.forget(pin, account: account) }
        try await store.drop(lease, at: clock.unixMilliseconds)
    }
}

extension PinStore {
    /// Ends a job for which nothing is left to do.
    func drop(_ lease: JobLease, at time: Int64) async throws {
        _ = try await database.write(.statements) { transaction throws(SQLError) in
            try transaction.complete(lease, at: time)
        }
    }
}

/// Reads the photo service's updates of all albums, and applies them to the pins. The position read up to is stored in
/// the same transaction, so that nothing is missed and nothing is applied twice.
struct AlbumFeed: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let clock: WallClock
    let log: Log?

    /// Reads until the task is cancelled.
    func run() async {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        var failures = 0
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                try await follow()
            } catch {
                if Task.isCancelled { return }
                log?.info("the watch of the photo service's albums ended", ["reason": "\(error)"])
                failures += 1
                if failures >= AlbumsJob.maximumFailures { await recordAway(error) }
            }
            // A stream that lasted for a while does not count as a failure.
            if ContinuousClock.now - start > .seconds(10) { (failures, backoff) = (0, Backoff()) }
            try? await Task.sleep(for: backoff.next(using: &random))
        }
    }

    /// Pins that wait for photos wait no longer.
    private func recordAway(_ error: any Error) async {
        guard let error = error as? PeerError, PeerError.isAway(error) else { return }
        try? await store.recordPhotosAway(error.words(of: AlbumsJob.peer))
    }

    private func follow() async throws {
        let position = try await store.database.read(.statement) { transaction throws(SQLError) in
            try transaction.feedPosition()
        }
        try await albums.follow(after: position) { batch in try await apply(batch) }
    }

    private func apply(_ batch: AlbumUpdates) async throws {
        let now = clock.unixMilliseconds
        try await store.database.write { transaction throws(SQLError) in try transaction.apply(batch, at: now) }
    }
}
