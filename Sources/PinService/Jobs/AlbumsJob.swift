import Daemon
import Storage

/// Tells the photo service of a pin and of those of its places that it does not know yet, so that it looks for photos.
struct AlbumsJob: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let clock: WallClock

    /// It is asked until it has answered: without it no pin is ever READY.
    var kind: JobKind {
        JobKind(Work.albums, workers: 4, timeout: .seconds(120)) { lease in try await run(lease) }
    }

    private func run(_ lease: JobLease) async throws {
        guard let (id, _) = Work.subject(of: lease.key) else {
            return try await store.drop(lease, at: clock.unixMilliseconds)
        }
        while let (part, position) = try await next(id) {
            try await albums.search(part)
            guard try await told(part, position, lease) else { return }
        }
        try await store.drop(lease, at: clock.unixMilliseconds)
    }

    /// What is to be told next, and how far the news were read before.
    private func next(_ pin: PinID) async throws -> (part: AlbumSearch, position: FeedPosition)? {
        try await store.database.read { transaction throws(SQLError) in
            let part = try transaction.untoldSearch(of: pin)
            let position = try transaction.feedPosition()
            return part.map { ($0, position) }
        }
    }

    /// Writes down what was told, unless the photo service's data was replaced meanwhile. False when nothing is left to
    /// do.
    private func told(_ part: AlbumSearch, _ position: FeedPosition, _ lease: JobLease) async throws -> Bool {
        let now = clock.unixMilliseconds
        return try await store.database.write { transaction throws(SQLError) in
            guard try transaction.holds(lease) else { return false }
            guard try transaction.feedPosition().epoch == position.epoch else { return true }
            try transaction.markTold(part)
            return part.isLast ? try !transaction.complete(lease, at: now) : true
        }
    }
}
