import Arguments
import Networks
import Settings
import PlaceContracts
import Daemon
import EventLoops
import Files
import Geo
import Glibc
import HTTPClient
import LiveNetworks
import ObjectStore
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

/// What replicas of a test share, by a name, and which of them one is.
struct Sharing: Sendable {
    let name: String
    let replica: String
    /// The server with the bucket; nil for the one of all tests.
    var store: S3Server?
}

/// The service's handler behind a real server on a free port, and a client that calls it over a real socket.
final class TestService: Sendable {
    let client: PlacesServiceClient
    let handler: PlacesHandler
    let index: DiscoveredIndex
    let folder: TemporaryFolder
    private let loops: EventLoopGroup
    private let blocking: BlockingPool
    let store: DiscoveryStore
    let replica: PlacesReplica?
    private let bucket: OpenBucket?
    private let following: Task<Void, Never>
    private let server: Server
    let rpc: RPCClient

    static let timeout: Duration = .seconds(100)
    /// A new deadline for each call.
    static var soon: CallOptions { CallOptions(timeout: timeout) }

    private init(
        _ folder: TemporaryFolder, maximumRadius: Double, maximumImportBytes: UInt64, verifyRate: Int?,
        live: [LiveNetwork], streets: StreetConfig?, contact: String, clock: WallClock, rebaseAt: Int,
        geocoder: Geocoder, hours: OpenedHours, sharing: Sharing?, diffs: DiffServers?
    ) async throws {
        self.folder = folder
        loops = try EventLoopGroup(count: 2)
        let blocking = BlockingPool(threadCount: 2)
        self.blocking = blocking
        let catalog = try Catalog(root: folder.path + "/data")
        let place =
            if let sharing { try PostgresServer.sharedPlace(of: sharing.name) } else {
                try PostgresServer.place(of: folder.path + "/data/live.db")
            }
        var settings = DatabaseSettings()
        settings.schema = place.schema
        settings.connections = 4
        settings.replica = sharing?.replica
        let arguments =
            if let sharing {
                try (sharing.store ?? S3Server.shared(.ofServices)).arguments(prefix: sharing.name)
            } else {
                try S3Server.arguments(folder: folder.path)
            }
        let blobs = try BlobsConfig(Options(Option.blobs, arguments: arguments, environment: [:]))
        bucket = try await blobs.openBucket(blocking, nil)
        let store = try await DiscoveryStore.open(place.address, settings)
        self.store = store
        let index = DiscoveredIndex(
            store, catalog, folder: folder.path + "/data/discovered", blocking: blocking, rebaseAt: rebaseAt)
        self.index = index
        try await index.open()
        let replica = bucket.map {
            PlacesReplica(store, catalog, $0.blobs, maximumImportBytes: maximumImportBytes, blocking, clock: clock)
        }
        self.replica = replica
        try await replica?.begin()
        let uploads = Uploads(folder: catalog.uploadFolder, maximumBytes: maximumImportBytes)
        let others = HTTPClient(loop: loops.loops[0], agent: "Waymark (test)")
        let imports = ImportQueue(catalog, replica?.catalog)
        let updates = diffs.map {
            DatasetUpdates(
                $0, store.database, catalog, imports, others, maximumBytes: maximumImportBytes, blocking, clock: clock)
        }
        let discovery = Discovery(
            live, streets.map { KeptStreets($0, folder: folder.path + "/data/streets") }, contact: contact,
            store: store, places: index, client: others, blocking: blocking, clock: clock)
        try await discovery.switches.follow()
        following = Task {
            async let _: Void = discovery.switches.run()
            let kinds = updates.map { [$0.kind] } ?? []
            if let replica { return await replica.run(index, geocoder, kinds) }
            guard !kinds.isEmpty else { return }
            await JobRunner(store.database, kinds, now: { clock.unixMilliseconds }) { _, _, _ in }.run()
        }
        handler = PlacesHandler(
            catalog: catalog, shared: replica?.catalog,
            uploads: replica?.uploads ?? LocalUploads(uploads: uploads, blocking: blocking),
            imports: imports, discovery: discovery,
            limits: NearbyLimits(maximumRadiusMetres: maximumRadius), blocking: blocking,
            geocoder: geocoder,
            verifier: verifyRate.map {
                Verifier(rate: $0, folder: folder.path + "/verify", log: Log(service: "test", level: .error))
            }, hours: hours, updates: updates)
        server = Server(Router([handler]), group: loops, agent: "places test")
        let address = try await server.listen(on: try #require(try Endpoint("127.0.0.1:0")?.resolve().first))
        let endpoint = try #require(Endpoint("\(address)"))
        rpc = RPCClient(endpoint, group: loops, resolver: blocking, agent: "test")
        client = PlacesServiceClient(rpc)
    }

    private func stop() async {
        await rpc.close()
        await server.shutDown(grace: .seconds(5))
        following.cancel()
        await following.value
        handler.imports.close()
        handler.verifier?.close()
        await handler.discovery.stop()
        await store.close()
        await bucket?.close()
        loops.shutDown()
        blocking.close()
    }

    /// Runs `body` with a service of its own; with `folder`, on the data that another one left there.
    @discardableResult
    static func run<R>(
        in folder: TemporaryFolder? = nil, maximumRadius: Double = 100_000, maximumImportBytes: UInt64 = 64 << 20,
        verifyRate: Int? = nil, live: [LiveNetwork] = [], streets: StreetConfig? = nil,
        contact: String = "tester@example.org", clock: WallClock = .system, rebaseAt: Int = 65_536,
        geocoder: Geocoder = Geocoder(), hours: OpenedHours = OpenedHours(), sharing: Sharing? = nil,
        diffs: DiffServers? = nil, _ body: (TestService) async throws -> R
    ) async throws -> R {
        let service = try await TestService(
            folder ?? TemporaryFolder(), maximumRadius: maximumRadius, maximumImportBytes: maximumImportBytes,
            verifyRate: verifyRate, live: live, streets: streets, contact: contact, clock: clock, rebaseAt: rebaseAt,
            geocoder: geocoder, hours: hours, sharing: sharing, diffs: diffs)
        do {
            let result = try await body(service)
            await service.stop()
            return result
        } catch {
            await service.stop()
            throw error
        }
    }
}

extension TestService {
    /// Uploads a text and imports it, all over the wire.
    @discardableResult
    func load(
        _ text: String, into dataset: String = "test", name: String = "places.tsv", columns: ColumnMap? = nil,
        format: ImportFormat = .unspecified, maximumBadRows: UInt64? = nil
    ) async throws -> ImportStory {
        try await load(
            Array(text.utf8), into: dataset, name: name, columns: columns, format: format,
            maximumBadRows: maximumBadRows)
    }

    @discardableResult
    func load(
        _ bytes: [UInt8], into dataset: String = "test", name: String = "places.tsv", columns: ColumnMap? = nil,
        format: ImportFormat = .unspecified, maximumBadRows: UInt64? = nil
    ) async throws -> ImportStory {
        let id = try await upload(bytes, into: dataset, name: name, columns: columns, format: format)
        return try await runImport(id, maximumBadRows: maximumBadRows)
    }

    /// How many uploads are open.
    func uploadCount() async throws -> Int {
        if replica == nil { return try DiskFile.names(in: folder.path + "/data/uploads").count }
        return try await store.database.read { transaction throws(SQLError) in
            try transaction.first("SELECT count(*) FROM uploads") { row throws(SQLError) in Int(try row.integer(0)) }
                ?? 0
        }
    }

    /// Puts a model's places in: datasets over the wire, and what the live network found.
    func load(_ model: ModelCatalog) async throws {
        for dataset in ModelCatalog.datasets { try await load(model.table(of: dataset), into: dataset) }
        let network = ModelCatalog.network
        let ids = model.places.filter { $0.dataset.isEmpty }.map {
            String($0.id.dropFirst("\(network.name)/".count))
        }
        try await store.database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.own(ids, network, "")
        }
        handler.catalog.replace(try model.layers(), of: network)
    }

    func upload(
        _ bytes: [UInt8], into dataset: String = "test", name: String = "places.tsv", columns: ColumnMap? = nil,
        format: ImportFormat = .unspecified
    ) async throws -> String {
        let begun = try await client.beginImport(
            BeginImportRequest(
                dataset: dataset, fileName: name, byteCount: UInt64(bytes.count), format: format, columns: columns),
            Self.soon)
        for start in stride(from: 0, to: bytes.count, by: Int(begun.maximumChunkBytes)) {
            let chunk = Array(bytes[start..<min(start + Int(begun.maximumChunkBytes), bytes.count)])
            _ = try await client.writeImport(
                WriteImportRequest(uploadId: begun.uploadId, offset: UInt64(start), data: chunk), Self.soon)
        }
        return begun.uploadId
    }

    func runImport(
        _ uploadID: String, maximumBadRows: UInt64? = nil, behind earlier: [String] = []
    ) async throws -> ImportStory {
        var story = ImportStory()
        let request = RunImportRequest(
            uploadId: uploadID, maximumBadRows: maximumBadRows, earlierUploadIds: earlier)
        for try await message in client.runImport(request, Self.soon) {
            switch message.event {
            case .progress(let progress): story.progress.append(progress)
            case .badRow(let row): story.badRows.append(row)
            case .summary(let summary): story.summary = summary
            case nil: Issue.record("an event without content")
            }
        }
        return story
    }

    /// What an answer holds.
    func nearby(_ request: NearbyRequest) async throws -> NearbyResponse { try await client.nearby(request, Self.soon) }

    /// Why a call was refused.
    func refusal<R>(_ call: (PlacesServiceClient) async throws -> R) async throws -> RPCError {
        do {
            _ = try await call(client)
        } catch {
            return try #require(error as? RPCError)
        }
        throw NotRefused()
    }
}

/// A call went through that should not have.
struct NotRefused: Error {}

/// All that an import told.
struct ImportStory {
    var progress: [PlaceContracts.ImportProgress] = []
    var badRows: [BadRow] = []
    var summary: ImportSummary?
}
