import Daemon
import EventLoops
import RPC
import Storage

/// Reads what the photo service tells of all albums, and takes it into the pins. How far it has read is written in the
/// same transaction, so that nothing is missed and nothing is taken in twice.
struct AlbumFeed: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let clock: WallClock
    let log: Log?

    /// Reads until the task is cancelled.
    func run() async {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                try await follow()
            } catch {
                if Task.isCancelled { return }
                log?.info("the photo service's news broke off", ["reason": "\(error)"])
            }
            // A stream that lived for a while was no failure.
            if ContinuousClock.now - start > .seconds(10) { backoff.reset() }
            try? await Task.sleep(for: backoff.next(using: &random))
        }
    }

    private func follow() async throws {
        let position = try await store.database.read { transaction throws(SQLError) in
            try transaction.feedPosition()
        }
        try await albums.follow(after: position) { batch in try await apply(batch) }
    }

    private func apply(_ batch: AlbumNewsBatch) async throws {
        let now = clock.unixMilliseconds
        let changed = try await store.database.write { transaction throws(SQLError) in
            try transaction.apply(batch, at: now)
        }
        for (pin, account) in changed { store.watches.ring(pin, of: account) }
        store.work.ring()
    }
}
