import Contracts
import EventLoops
import FoundationEssentials
import RPC
import ServiceRuntime
import Storage
import Testing

@testable import PinService

/// A folder of its own for one test, removed with what it holds.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pins-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}

/// The service on a real socket with a real database, and a client for it.
struct RunningPinService {
    static let key = DeploymentKey(bytes: (0..<32).map { UInt8($0) })
    /// 2024-07-03T09:46:40Z
    static let now: Int64 = 1_720_000_000_000

    let pins: PinServiceClient
    private let signer: IdentitySigner

    /// Options of a call for `account`.
    func of(_ account: String) -> CallOptions {
        CallOptions(deadline: .now + .seconds(60), signedIdentity: signer.sign(account))
    }

    /// Starts the service on the database in `folder`, and stops it afterwards.
    static func with<Value>(
        folder: String, clock: WallClock = WallClock { now }, settings: DatabaseSettings = DatabaseSettings(),
        _ body: (RunningPinService) async throws -> Value
    ) async throws -> Value {
        let key = try #require(key)
        let loops = try EventLoopGroup(count: 1)
        let store = try await PinStore.open("\(folder)/pins.db", settings: settings)
        let server = Server(
            Router([PinHandler(store, clock: clock)]), group: loops,
            interceptors: [IdentityCheck(key, openServices: [])],
            agent: "pins under test")
        let any = try #require(try Endpoint(host: "127.0.0.1", port: 0).resolve().first)
        let address = try await server.listen(on: any)
        let resolver = BlockingPool(threadCount: 1)
        let client = RPCClient(
            Endpoint(host: "127.0.0.1", port: address.port), group: loops, resolver: resolver, agent: "test")
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(RunningPinService(pins: PinServiceClient(client), signer: IdentitySigner(key))))
        } catch {
            result = .failure(error)
        }
        await client.close()
        await server.shutDown(grace: .seconds(5))
        await store.close()
        resolver.close()
        loops.shutDown()
        return try result.get()
    }

    /// The same in a folder of its own.
    static func with(
        clock: WallClock = WallClock { now }, settings: DatabaseSettings = DatabaseSettings(),
        _ body: (RunningPinService) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { try await with(folder: $0, clock: clock, settings: settings, body) }
    }
}

/// The error that a call ends with.
func refusal<Value>(_ call: () async throws -> Value) async -> RPCError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error as? RPCError
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
