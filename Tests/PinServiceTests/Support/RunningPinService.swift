import AccountContracts
import PinContracts
import Daemon
import EventLoops
import FoundationEssentials
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PinService

/// The service on a real socket with a real database, and a client for it.
struct RunningPinService {
    static let key = DeploymentKey(bytes: (0..<32).map { UInt8($0) })
    /// 2024-07-03T09:46:40Z
    static let now: Int64 = 1_720_000_000_000

    /// Reads and writes files of pins, for all tests.
    private static let blocking = BlockingPool(threadCount: 2)

    let pins: PinServiceClient
    let clusters: ClusterServiceClient
    let settings: SettingsServiceClient
    let lists: ListServiceClient
    let stars: StarServiceClient
    let files: PinFileServiceClient
    let unplaced: UnplacedPinServiceClient
    let tracks: TrackServiceClient
    let networks: PinNetworks
    private let signer: IdentitySigner

    /// Options of a call for `account`.
    func of(_ account: String) -> CallOptions { by(.account(account, .ofAccounts)) }

    /// Options of a call in this name.
    func by(_ claim: IdentityClaim) -> CallOptions {
        CallOptions(deadline: .now + ServiceProcess.patience, signedIdentity: signer.sign(claim))
    }

    /// Options of a call with a key of `account` that is limited to networks.
    func withKey(of account: String, for networks: Set<String>) -> CallOptions {
        by(.account(account, .user, by: .key("k1", isReadOnly: false, networks: networks)))
    }

    /// Starts the service on the database in `folder`, and stops it afterwards.
    static func with<Value>(
        folder: String, settings: DatabaseSettings = DatabaseSettings(),
        _ body: (RunningPinService) async throws -> Value
    ) async throws -> Value {
        try await with(
            folder: folder, settings: settings, clock: WallClock { now }, networks: PinNetworks([.catalog()])
        ) {
            service, _ in try await body(service)
        }
    }

    /// The same with its store.
    static func with<Value>(
        folder: String, settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = WallClock { now },
        networks: PinNetworks = PinNetworks([.catalog()]), watchPace: Duration = .milliseconds(1),
        firstNetworks: PinService.NetworkChoice = .all, configured: ConfiguredNetworks? = nil,
        finder: any TextFinder = ScriptedFinder(),
        _ body: (RunningPinService, PinStore) async throws -> Value
    ) async throws -> Value {
        let key = try #require(key)
        let place = try PostgresServer.place(of: "\(folder)/pins.db")
        var settings = settings
        settings.schema = place.schema
        let store = try await PinStore.open(
            place.address, settings: settings, clock: clock, firstNetworks: firstNetworks)
        let result: Result<Value, any Error>
        do {
            let handler = PinHandler(store, clock: clock, networks: networks, watchPace: watchPace)
            let check = IdentityCheck(key)
            let ofSettings = configured.map { SettingsHandler(store: store, clock: clock, configured: $0) }
            let files = PinFileHandler(
                store: store, clock: clock, folder: try ImportFolder("\(folder)/imports"), blocking: Self.blocking)
            let services: [any RPCService] =
                [
                    handler, PinClusterHandler(store: store), ListHandler(store: store, clock: clock),
                    StarHandler(store: store, clock: clock),
                    files, UnplacedHandler(store: store, clock: clock, places: finder),
                    TrackHandler(store: store, blocking: Self.blocking),
                ]
                + (ofSettings.map { [$0] } ?? [])
            let value = try await TestServer.with(Router(services), interceptors: [check]) { server in
                try await server.withClient { client in
                    try await body(
                        RunningPinService(
                            pins: PinServiceClient(client), clusters: ClusterServiceClient(client),
                            settings: SettingsServiceClient(client),
                            lists: ListServiceClient(client), stars: StarServiceClient(client),
                            files: PinFileServiceClient(client), unplaced: UnplacedPinServiceClient(client),
                            tracks: TrackServiceClient(client),
                            networks: networks, signer: IdentitySigner(key)), store
                    )
                }
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }

    /// The same in a folder of its own.
    static func with(
        settings: DatabaseSettings = DatabaseSettings(), _ body: (RunningPinService) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { try await with(folder: $0, settings: settings, body) }
    }
}

extension CreatePinRequest {
    init(_ latitude: Double, _ longitude: Double, radius: Double? = nil, name: String = "") {
        self.init(position: Coordinate(latitude: latitude, longitude: longitude), radiusM: radius, name: name)
    }
}

extension PinsNearRequest {
    init(_ latitude: Double, _ longitude: Double, radius: Double? = nil, limit: UInt32? = nil) {
        self.init(centre: Coordinate(latitude: latitude, longitude: longitude), radiusM: radius, limit: limit)
    }
}
