import Daemon
import Storage
import Stores

/// What the service does by itself while it runs.
struct PinProcess: Sendable {
    /// How long a start waits for the places service to tell which networks can be asked.
    private static let patience: Duration = .seconds(1)

    private let store: PinStore
    private let tasks: Task<Void, Never>

    /// Goes on with all work that was asked for, and begins that of pins for which none was.
    init(
        _ store: PinStore, places: any PlaceFinder, albums: any AlbumSearcher, networks: PinNetworks,
        clock: WallClock, log: Log? = nil
    ) async throws {
        self.store = store
        try await store.adopt(networks.current, at: clock.unixMilliseconds)
        var kinds = DiscoverJob(store: store, finder: places, networks: networks, clock: clock).kinds
        kinds += [
            NameJob(store: store, finder: places, clock: clock).kind,
            AlbumsJob(store: store, albums: albums, clock: clock).kind,
            ForgetJob(store: store, albums: albums, clock: clock).kind,
        ]
        let runner = JobRunner(store.database, kinds, bell: store.work, now: { clock.unixMilliseconds }) {
            Self.report(log, $0, $1, $2)
        }
        let feed = AlbumFeed(store: store, albums: albums, clock: clock, log: log)
        let list = NetworkList(networks: networks, finder: places, log: log)
        await list.begin(patience: Self.patience)
        let upkeep = Upkeep(store: store, clock: clock)
        tasks = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await runner.run() }
                group.addTask { await feed.run() }
                group.addTask { await list.run() }
                group.addTask { await upkeep.run() }
            }
        }
    }

    /// Cuts off what runs; it goes on after the next start.
    func stop() async {
        tasks.cancel()
        await tasks.value
        _ = try? await store.database.write { transaction throws(SQLError) in try transaction.releaseJobs() }
    }

    private static func report(_ log: Log?, _ lease: JobLease, _ verdict: JobKind.Verdict, _ error: any Error) {
        let values: KeyValuePairs<String, String> = [
            "job": lease.kind, "key": lease.key, "tries": "\(lease.tries + 1)", "reason": "\(error)",
        ]
        switch verdict {
        case .again: log?.info("a job failed and is run again", values)
        case .giveUp: log?.warning("a job was given up", values)
        }
    }
}

/// Forgets what is not asked for any more: the answers to changes, and which pins were removed.
struct Upkeep: Sendable {
    private static let interval: Duration = .seconds(3_600)
    private static let part = 1_000

    let store: PinStore
    let clock: WallClock

    /// At once, and every hour until the task is cancelled.
    func run() async {
        repeat {
            while let count = try? await forgetSome(), count > 0 {}
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    private func forgetSome() async throws -> Int {
        let now = clock.unixMilliseconds
        return try await store.database.write { transaction throws(SQLError) in
            try transaction.forgetRequests(before: now - Change.lifeMilliseconds, limit: Self.part)
                + transaction.forgetRemovals(before: now - AccountNews.removalLifeMilliseconds, limit: Self.part)
        }
    }
}
