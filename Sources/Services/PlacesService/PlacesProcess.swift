import Backups
import Budgets
import Daemon
import EventLoops
import HTTPClient
import LiveNetworks
import ObjectStore
import Storage
import Stores

/// The service's parts while it runs.
struct PlacesProcess: Sendable {
    private static let sweepInterval: Duration = .seconds(60)
    /// Sweeps before the first place is dropped: by then the pin service, which may start later, has said where pins
    /// are.
    private static let sweepsBeforeDrop = 60

    let handler: PlacesHandler
    let areas: HeldAreaHandler
    let replication: ReplicationHandler
    /// Names the data, for clients that know several replicas.
    let dataName: String
    private let store: DiscoveryStore
    private let updates: DatasetUpdates
    private let bucket: OpenBucket?
    /// Nil where the log is stored nowhere else.
    private let shipping: OpenShipping?
    private let upkeep: Task<Void, Never>

    /// Opens the catalog and imports bundled data that is missing, so that the first call finds it.
    init(
        _ config: Config, _ loop: EventLoop, _ blocking: BlockingPool, _ memory: MemoryBudget, _ key: DeploymentKey,
        _ log: Log
    ) async throws {
        let catalog = try await blocking.run { try Catalog(root: config.dataFolder) }
        for damage in catalog.damaged {
            log.error("dataset can't be opened", ["dataset": "\(damage.name)", "reason": "\(damage.reason)"])
        }
        // Without a bucket no other process has these datasets.
        let place = config.blobs.place ?? "\(UInt64.random(in: 0 ... .max))"
        let store = try await DiscoveryStore.open(config.database.address, config.database.settings, place: place)
        shipping = try await config.shipping.mapAsync { try await $0.open(key, log: log) }
        let bucket = try await config.blobs.openBucket(blocking, log)
        let replica = bucket.map {
            PlacesReplica(
                store, catalog, $0.blobs, maximumImportBytes: config.maximumImportBytes, blocking, log)
        }
        let index = DiscoveredIndex(
            store, catalog, folder: "\(config.dataFolder)/discovered", blocking: blocking, log: log)
        try await index.open()
        try await replica?.begin()
        let imports = ImportQueue(catalog, replica?.catalog, memory: memory, tables: config.importMemory)
        if let folder = config.bundledFolder { await BundledData(folder).install(in: catalog, by: imports, log) }
        let local = Uploads(folder: catalog.uploadFolder, maximumBytes: config.maximumImportBytes)
        let client = HTTPClient(loop: loop, agent: NetworkContact.agent(config.live.contact))
        let upstream = config.live.geocoder.map { Upstream(server: $0, store: store, client: client) }
        let geocoder = config.bundledFolder.map {
            Geocoder(dataFolder: config.dataFolder, bundledFolder: $0, upstream: upstream, blocking, log)
        }
        let streets = try await blocking.run {
            KeptStreets(config.live.streets, folder: "\(config.dataFolder)/streets")
        }
        let discovery = Discovery(
            config.live.networks, streets, contact: config.live.contact, store: store, places: index, client: client,
            blocking: blocking, log: log)
        try await discovery.switches.follow()
        let known = geocoder ?? Geocoder(upstream: upstream)
        let updates = DatasetUpdates(
            config.diffServers, store.database, catalog, imports, client, maximumBytes: config.maximumImportBytes,
            blocking, log: log
        ) { await known.prepare(catalog.view, blocking) }
        self.store = store
        self.updates = updates
        areas = HeldAreaHandler(store: store, own: index.own)
        replication = ReplicationHandler(shipping, isInServer: store.database.isShared)
        self.bucket = bucket
        dataName = DataName.of(store.database, epoch: store.number, place: place)
        handler = PlacesHandler(
            catalog: catalog, shared: replica?.catalog,
            uploads: replica?.uploads ?? LocalUploads(uploads: local, blocking: blocking), imports: imports,
            discovery: discovery,
            limits: config.limits, blocking: blocking, geocoder: known,
            verifier: Self.verifier(config, log),
            hours: config.bundledFolder.map { OpenedHours(bundledFolder: $0, blocking, log) } ?? OpenedHours(),
            updates: updates)
        upkeep = Task { [geocoder = handler.geocoder, discovery = handler.discovery] in
            async let _: Void = Self.share(store, index, geocoder, replica, updates.kind)
            async let _: Void = updates.request()
            async let _: Void = discovery.switches.run()
            async let _: Void = discovery.streets?.prepare(within: .seconds(60)) ?? ()
            await geocoder.prepare(catalog.view, blocking)
            await Self.verify(catalog, blocking, log)
            if let replica { _ = try? await replica.catalog.follow() }
            await Self.sweep(catalog, store, local, geocoder, blocking, log) { now in
                try await index.dropExpired { now - discovery.life(of: $0) }
            }
        }
    }

    /// The metrics of live networks, and of searches that were compared with brute force.
    var metrics: [MetricFamily] {
        handler.discovery.families + (handler.verifier?.tally.families ?? [])
            + (shipping?.report.families ?? []) + updates.families
    }

    /// What is wrong though the service goes on; nil when nothing is.
    var warning: String? { shipping?.report.warning ?? updates.warning }

    /// Ends upkeep, imports, comparisons and searches of live networks.
    func stop() async {
        upkeep.cancel()
        await upkeep.value
        handler.imports.close()
        handler.verifier?.close()
        await handler.discovery.stop()
        await shipping?.stop()
        await store.close()
        await bucket?.close()
    }

    /// Where no bucket is shared, others that start on the same database still have to know of this one.
    private static func share(
        _ store: DiscoveryStore, _ index: DiscoveredIndex, _ geocoder: Geocoder, _ replica: PlacesReplica?,
        _ updates: JobKind
    ) async {
        if let replica { return await replica.run(index, geocoder, [updates]) }
        await JobRunner(store.database, [updates], now: { WallClock.system.unixMilliseconds }) { _, _, _ in }.run()
    }

    private static func verifier(_ config: Config, _ log: Log) -> Verifier? {
        config.verifyRate == 0
            ? nil : Verifier(rate: config.verifyRate, folder: "\(config.dataFolder)/verify", log: log)
    }

    private static func verify(_ catalog: Catalog, _ blocking: BlockingPool, _ log: Log) async {
        guard let damaged = try? await blocking.run({ catalog.verify() }) else { return }
        for damage in damaged {
            log.error(
                damage.isOfAreas ? "areas of a dataset are damaged and left out" : "dataset is damaged and left out",
                ["dataset": "\(damage.name)", "reason": "\(damage.reason)"])
        }
    }

    private static func sweep(
        _ catalog: Catalog, _ store: DiscoveryStore, _ uploads: Uploads, _ geocoder: Geocoder, _ blocking: BlockingPool,
        _ log: Log, dropExpired: (_ now: Int64) async throws -> Int
    ) async {
        var sweeps = 0
        repeat {
            await geocoder.prepare(catalog.view, blocking)
            let now = WallClock.system.unixMilliseconds
            let oldest = now - Change.lifeMilliseconds
            try? await blocking.run { catalog.removeDeletions(before: oldest) }
            try? await store.deleteCells(expiredBefore: now)
            let count = uploads.endIdle()
            if count > 0 { log.info("idle uploads removed", ["count": "\(count)"]) }
            sweeps += 1
            guard sweeps > sweepsBeforeDrop, let dropped = try? await dropExpired(now), dropped > 0 else { continue }
            log.info("expired places removed", ["count": "\(dropped)"])
        } while (try? await Task.sleep(for: sweepInterval)) != nil
    }
}
