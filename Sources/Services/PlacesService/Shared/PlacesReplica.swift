import Daemon
import EventLoops
import Storage
import Stores

/// What a replica of the service does besides answering calls: it follows the datasets and the discovered places that
/// others change, and shares the upkeep of what is stored.
struct PlacesReplica: Sendable {
    /// The pause before what could not be read is read again.
    private static let pause = Duration.seconds(1)

    let catalog: SharedCatalog
    let uploads: SharedUploads
    private let store: DiscoveryStore
    private let sweep: SharedSweep
    private let blocking: BlockingPool
    private let log: Log?

    init(
        _ store: DiscoveryStore, _ catalog: Catalog, _ blobs: any Blobs, maximumImportBytes: UInt64,
        _ blocking: BlockingPool, _ log: Log? = nil, clock: WallClock = .system
    ) {
        self.store = store
        self.blocking = blocking
        self.log = log
        self.catalog = SharedCatalog(store.database, catalog, blobs, blocking, log)
        uploads = SharedUploads(
            maximumBytes: maximumImportBytes, database: store.database, blobs: blobs, blocking: blocking,
            folder: catalog.uploadFolder, clock: clock)
        sweep = SharedSweep(database: store.database, blobs: blobs, clock: clock, log: log)
    }

    /// Fetches what is missing, before the service answers.
    func begin() async throws {
        try await catalog.begin()
        try await sweep.request()
    }

    /// Follows and sweeps until the task is cancelled.
    /// - Parameter kinds: other jobs that replicas share.
    func run(_ index: DiscoveredIndex, _ geocoder: Geocoder, _ kinds: [JobKind] = []) async {
        let runner = JobRunner(store.database, [sweep.kind] + kinds, now: { sweep.clock.unixMilliseconds }) {
            lease, _, error in
            log?.warning("a job failed", ["kind": lease.kind, "reason": "\(error)"])
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await runner.run() }
            group.addTask {
                await catalog.run { await geocoder.prepare(catalog.catalog.view, blocking) }
            }
            group.addTask { await follow(index) }
        }
    }

    /// Takes in what other replicas discover, so that it is found here too.
    private func follow(_ index: DiscoveredIndex) async {
        await store.database.notices.watching(wholeStore) { bell in
            while !Task.isCancelled {
                let count = bell.count
                do {
                    try await index.catchUp()
                    await bell.wait(after: count)
                } catch {
                    // No other notice may come for what was missed.
                    log?.warning("discovered places can't be followed now", ["reason": "\(error)"])
                    await bell.wait(after: count, timeout: Self.pause)
                }
            }
        }
    }
}
