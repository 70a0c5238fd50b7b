import Daemon
import NearRows
import Storage
import Stores

/// The background work of the service while it runs.
struct PinProcess: Sendable {
    /// How long a start waits for the places service to report which networks can be asked.
    private static let patience: Duration = .seconds(1)

    private let tasks: Task<Void, Never>

    /// Continues all work that was requested, and requests it for pins that have none.
    /// - Parameters:
    ///   - posts: whose searches are verified too.
    ///   - more: kinds of jobs that are not about pins.
    init(
        _ store: PinStore, places: any PlaceFinder, albums: any AlbumSearcher, networks: PinNetworks,
        clock: WallClock, posts: NearSearch? = nil, more: [JobKind] = [], log: Log? = nil
    ) async throws {
        try await store.adopt(networks.current, at: clock.unixMilliseconds)
        var kinds = DiscoverJob(store: store, finder: places, networks: networks, clock: clock).kinds
        kinds += [
            NameJob(store: store, finder: places, clock: clock).kind,
            AlbumsJob(store: store, albums: albums, clock: clock).kind,
            ForgetJob(store: store, albums: albums, clock: clock).kind,
            HoldJob(store: store, finder: places, clock: clock).kind,
            ChoiceJob(store: store, albums: albums, networks: networks, clock: clock).kind,
        ]
        kinds += EraseJob(store: store, albums: albums, finder: places, clock: clock).kinds + more
        let runner = JobRunner(store.database, kinds, now: { clock.unixMilliseconds }) {
            Self.report(log, $0, $1, $2)
        }
        let feed = AlbumFeed(store: store, albums: albums, clock: clock, log: log)
        let list = NetworkList(store: store, networks: networks, finder: places, clock: clock, log: log)
        await list.begin(patience: Self.patience)
        let upkeep = Upkeep(store: store, clock: clock)
        tasks = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await runner.run() }
                group.addTask { await feed.run() }
                group.addTask { await list.run() }
                group.addTask { await upkeep.run() }
                group.addTask { await store.near.run() }
                group.addTask { await posts?.run() }
            }
        }
    }

    /// Cancels running work; it continues after the next start.
    func stop() async {
        tasks.cancel()
        await tasks.value
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

/// Deletes what is no longer needed: the answers to changes, and the record of removed pins.
struct Upkeep: Sendable {
    private static let interval: Duration = .seconds(3_600)
    private static let part = 1_000

    let store: PinStore
    let clock: WallClock

    /// Runs at once, and every hour until the task is cancelled.
    func run() async {
        repeat {
            while let count = try? await forgetSome(), count > 0 {}
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    private func forgetSome() async throws -> Int {
        let now = clock.unixMilliseconds
        return try await store.database.write { transaction throws(SQLError) in
            try transaction.deleteRequests(before: now - Change.lifeMilliseconds, limit: Self.part)
                + transaction.forgetImportFiles(before: now - PinImport.fileMilliseconds, limit: Self.part)
                + transaction.forgetRemovals(before: now - AccountDelta.removalLifeMilliseconds, limit: Self.part)
        }
    }
}
