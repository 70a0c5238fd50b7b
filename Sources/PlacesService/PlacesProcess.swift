import Budgets
import Daemon
import EventLoops
import HTTPClient
import Stores

/// The service's parts while it runs.
struct PlacesProcess: Sendable {
    private static let sweepInterval: Duration = .seconds(60)

    let handler: PlacesHandler
    private let store: DiscoveryStore
    private let upkeep: Task<Void, Never>

    /// Opens the catalog and imports bundled data that is missing, so that the first call finds it.
    init(
        _ config: Config, _ loop: EventLoop, _ blocking: BlockingPool, _ memory: MemoryBudget, _ log: Log
    ) async throws {
        let catalog = try await blocking.run { try Catalog(root: config.dataFolder) }
        for damage in catalog.damaged {
            log.error("dataset can't be opened", ["dataset": "\(damage.name)", "reason": "\(damage.reason)"])
        }
        let imports = ImportQueue(catalog, memory: memory)
        if let folder = config.bundledFolder { await BundledData(folder).install(in: catalog, by: imports, log) }
        let uploads = Uploads(folder: catalog.uploadFolder, maximumBytes: config.maximumImportBytes)
        let verifier =
            config.verifyRate == 0
            ? nil : Verifier(rate: config.verifyRate, folder: "\(config.dataFolder)/verify", log: log)
        let store = try await DiscoveryStore.open(config.database.address, config.database.settings)
        self.store = store
        let index = DiscoveredIndex(
            store, catalog, folder: "\(config.dataFolder)/discovered", blocking: blocking, log: log)
        try await index.open()
        let client = HTTPClient(loop: loop, agent: config.live.agent)
        let discovery = Discovery(
            config.live.networks, store: store, places: index, client: client, blocking: blocking, log: log)
        let upstream = config.live.geocoder.map { Upstream(server: $0, store: store, client: client) }
        let geocoder = config.bundledFolder.map {
            Geocoder(dataFolder: config.dataFolder, bundledFolder: $0, upstream: upstream, blocking, log)
        }
        handler = PlacesHandler(
            catalog: catalog, uploads: uploads, imports: imports, discovery: discovery, limits: config.limits,
            blocking: blocking, geocoder: geocoder ?? Geocoder(upstream: upstream), verifier: verifier)
        upkeep = Task { [geocoder = handler.geocoder] in
            await geocoder.prepare(catalog.view, blocking)
            await Self.verify(catalog, blocking, log)
            await Self.sweep(catalog, store, uploads, geocoder, blocking, log)
        }
    }

    /// The metrics of live networks, and of searches that were compared with brute force.
    var metrics: [MetricFamily] { handler.discovery.families + (handler.verifier?.tally.families ?? []) }

    /// Ends upkeep, imports, comparisons and searches of live networks.
    func stop() async {
        upkeep.cancel()
        await upkeep.value
        handler.imports.close()
        handler.verifier?.close()
        await handler.discovery.stop()
        await store.close()
    }

    private static func verify(_ catalog: Catalog, _ blocking: BlockingPool, _ log: Log) async {
        guard let damaged = try? await blocking.run({ catalog.verify() }) else { return }
        for (name, reason) in damaged {
            log.error("dataset is damaged and left out", ["dataset": "\(name)", "reason": "\(reason)"])
        }
    }

    private static func sweep(
        _ catalog: Catalog, _ store: DiscoveryStore, _ uploads: Uploads, _ geocoder: Geocoder, _ blocking: BlockingPool,
        _ log: Log
    ) async {
        repeat {
            await geocoder.prepare(catalog.view, blocking)
            let now = WallClock.system.unixMilliseconds
            let oldest = now - Change.lifeMilliseconds
            try? await blocking.run { catalog.forgetDeletions(before: oldest) }
            try? await store.forgetCells(expiredBefore: now)
            let count = uploads.endIdle()
            if count > 0 { log.info("idle uploads removed", ["count": "\(count)"]) }
        } while (try? await Task.sleep(for: sweepInterval)) != nil
    }
}
