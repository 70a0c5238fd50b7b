import Backups
import Daemon
import EventLoops
import LiveNetworks
import NearRows
import ObjectStore
import RPC
import Storage
import Stores

/// The parts of the running service: its store, its pictures and the jobs that work on both.
final class PhotoProcess: Sendable {
    let store: PhotoStore
    let blobs: any Blobs
    let services: [any RPCService]
    /// Names the data, for clients that know several replicas.
    let dataName: String
    private let lock: FolderLock
    /// Nil where the log is stored nowhere else.
    private let shipping: OpenShipping?
    private let bucket: OpenBucket?
    private let networks: PhotoNetworks
    private let near: NearSearch
    private let decoders: PictureDecoders
    private let blocking: BlockingPool
    private let work: Task<Void, Never>

    /// Opens the data folder, which no other process may use, and starts the jobs.
    init(
        _ config: Config, _ loop: EventLoop, _ blocking: BlockingPool, _ host: DecoderHost, key: DeploymentKey,
        log: Log? = nil, clock: WallClock = .system
    ) async throws {
        let lock = try await blocking.run { try FolderLock(config.dataFolder) }
        let bucket = try await config.blobs.openBucket(blocking, log)
        let stored: any Blobs =
            if let bucket { try await bucket.cached(in: config.copyFolder) } else {
                try await DirectoryBlobs.opened(config.blobFolder, blocking)
            }
        // What is in a bucket is elsewhere already.
        let shipped = config.shipping == nil || bucket != nil ? nil : ShippedBlobs(stored)
        let blobs: any Blobs = shipped ?? stored
        // Without a bucket no other process has these files.
        let place = config.blobs.place ?? "\(UInt64.random(in: 0 ... .max))"
        let store = try await PhotoStore.open(
            config.database.address, settings: config.database.settings, clock: clock, place: place)
        shipping = try await config.shipping.mapAsync { try await $0.open(key, blobs: shipped, log: log) }
        let networks = PhotoNetworks(config.networks, store, loop, blocking, key: key, log: log)
        try await networks.switches.follow()
        self.networks = networks
        decoders = PictureDecoders(host, count: config.decoderCount)
        let pictures = PictureStore(
            folder: config.pictureFolder.map { PictureFolder($0, leftOut: LeftOutNames(config.leftOutNames)) },
            decoders: decoders, networks: networks, blobs: blobs, blocking: blocking)
        self.lock = lock
        self.blocking = blocking
        self.bucket = bucket
        dataName = DataName.of(store.database, epoch: store.epoch, place: place)
        self.blobs = blobs
        self.store = store
        let links = PictureLinks(
            tickets: PictureTickets(key, clock: clock), canMake: pictures.has, networks: networks.fetchable)
        let uploads = UploadHandler(
            store: store, pictures: pictures, links: links, quota: config.photoQuota)
        let photos = PhotoHandler(
            store: store, pictures: pictures, links: links, verifyRate: config.verifyRate, log: log)
        near = photos.near
        try await near.load()
        services = [
            photos, PhotoClusterHandler(near: photos.near, links: links), uploads,
            GuestPhotoHandler(uploads: uploads), AlbumSearchHandler(store),
            NetworkKeyHandler(store: store, networks: networks),
            PhotoNetworkHandler(networks: networks, store: store, hasFolder: pictures.folder != nil),
            ReplicationHandler(shipping, isInServer: store.database.isShared),
        ]
        let runner = JobRunner(
            store.database, Self.kinds(config, store, pictures, networks, log),
            now: { clock.unixMilliseconds }, report: { Self.report($0, $1, $2, to: log) })
        let watch = pictures.folder.flatMap { folder in
            config.folderPause.map {
                FolderWatch(of: folder, every: $0, store: store, pictures: pictures, loop: loop, log: log)
            }
        }
        work = Task {
            async let _: Void? = watch?.run()
            async let _: Void = Self.begin(store, networks.names, scans: pictures.folder != nil && watch == nil)
            async let _: Void = networks.switches.run()
            async let _: Void = photos.near.run()
            await runner.run()
        }
    }

    /// Requests the work of each start. A full disk must not keep the service from starting.
    private static func begin(_ store: PhotoStore, _ networks: [String], scans: Bool) async {
        while !Task.isCancelled {
            do {
                if scans { try await store.startScan() }
                for network in networks { try await store.startRecheck(of: network) }
                return try await store.startSweep()
            } catch {
                try? await Task.sleep(for: .seconds(5))
            }
        }
    }

    /// The metrics besides those of every service.
    var metrics: [MetricFamily] {
        store.database.families + networks.families + near.families + (shipping?.report.families ?? [])
    }

    /// What is wrong though the service goes on; nil when nothing is.
    var warning: String? { shipping?.report.warning }

    /// Ends the streams that would never end by themselves.
    func leave() { store.leave() }

    /// Ends the work and releases the data folder. Unfinished work continues after the next start.
    func stop() async {
        work.cancel()
        await work.value
        await networks.stop()
        await decoders.close(blocking)
        await shipping?.stop()
        await store.close()
        await bucket?.close()
        withExtendedLifetime(lock) {}
    }

    private static func kinds(
        _ config: Config, _ store: PhotoStore, _ pictures: PictureStore, _ networks: PhotoNetworks, _ log: Log?
    ) -> [JobKind] {
        let sweep = SweepJob(
            store: store, pictures: pictures, grace: config.blobGrace.milliseconds,
            pause: config.sweepPause.milliseconds, log: log)
        let kinds = [
            SearchJob(store: store, networks: networks, patience: config.searchPatience).kind,
            RelistJob(store: store).kind,
            CollectJob(store: store, networks: networks).kind,
            NamedJob(store: store, networks: networks).kind, RecheckJob(store: store, networks: networks).kind,
            CopyJob(store: store, pictures: pictures, largeBytes: config.largeBytes).kind,
            PictureJob(store: store, pictures: pictures, largeBytes: config.largeBytes).kind, sweep.kind,
        ]
        guard let folder = pictures.folder else { return kinds }
        return kinds + [ScanJob(store: store, pictures: pictures, folder: folder, log: log).kind]
    }

    private static func report(_ lease: JobLease, _ verdict: JobKind.Verdict, _ error: any Error, to log: Log?) {
        log?.warning(
            "a job failed",
            [
                "kind": lease.kind, "key": lease.key, "tries": "\(lease.tries + 1)", "verdict": "\(verdict)",
                "reason": "\(error)",
            ])
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 }
}
