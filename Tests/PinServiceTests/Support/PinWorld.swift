import Accounts
import PinContracts
import Daemon
import EventLoops
import RPC
import Storage
import Stores
import TestSupport
import TestTools
import Testing

@testable import PinService

/// The service with all that it does by itself, between a places service and a photo service that a test scripts.
struct PinWorld: Sendable {
    let service: RunningPinService
    let store: PinStore
    let clock: ManualClock

    /// Starts the service on the database in `folder`, and stops it afterwards.
    static func with<Value>(
        folder: String, _ places: ScriptedPlaces, _ albums: ScriptedAlbums, clock: ManualClock = ManualClock(),
        networks: [PlaceNetwork] = [.catalog()], settings: DatabaseSettings = DatabaseSettings(),
        firstNetworks: PinService.NetworkChoice = .all, _ body: (PinWorld) async throws -> Value
    ) async throws -> Value {
        try await serving([places, places.areas]) { places in
            try await serving([albums, albums.networks]) { albums in
                try await with(folder, places, albums, clock, networks, settings, firstNetworks, body)
            }
        }
    }

    /// The same in a folder of its own.
    static func with<Value>(
        _ places: ScriptedPlaces, _ albums: ScriptedAlbums = ScriptedAlbums(), clock: ManualClock = ManualClock(),
        networks: [PlaceNetwork] = [.catalog()], firstNetworks: PinService.NetworkChoice = .all,
        _ body: (PinWorld) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with {
            try await with(
                folder: $0, places, albums, clock: clock, networks: networks, firstNetworks: firstNetworks, body)
        }
    }

    /// Runs a service that a test scripts, with a client for it.
    private static func serving<Value>(
        _ services: [any RPCService], _ body: (RPCClient) async throws -> Value
    ) async throws -> Value {
        let check = IdentityCheck(try #require(RunningPinService.key))
        return try await TestServer.with(Router(services), interceptors: [check]) { server in
            try await server.withClient(body)
        }
    }

    static func with<Value>(
        _ folder: String, _ places: RPCClient, _ albums: RPCClient, _ clock: ManualClock, _ networks: [PlaceNetwork],
        _ settings: DatabaseSettings, _ firstNetworks: PinService.NetworkChoice = .all,
        _ body: (PinWorld) async throws -> Value
    ) async throws -> Value {
        let signer = IdentitySigner(try #require(RunningPinService.key))
        return try await with(
            folder, RemotePlaces(places, signer), RemoteAlbums(albums, signer), clock, networks, settings,
            firstNetworks, body)
    }

    /// The same between services that a test makes itself.
    static func with<Value>(
        _ folder: String, _ places: any PlaceFinder, _ albums: any AlbumSearcher, _ clock: ManualClock,
        _ networks: [PlaceNetwork], _ settings: DatabaseSettings, _ firstNetworks: PinService.NetworkChoice = .all,
        _ body: (PinWorld) async throws -> Value
    ) async throws -> Value {
        let known = PinNetworks(networks)
        return try await RunningPinService.with(
            folder: folder, settings: settings, clock: clock.clock, networks: known, firstNetworks: firstNetworks,
            configured: ConfiguredNetworks(places: places, albums: albums)
        ) { service, store in
            let pins = PinsPart(
                store: store, places: places, albums: albums, networks: known, clock: clock.clock, log: nil)
            let chosen = SettingsPart(
                store: store, places: places, albums: albums, networks: known, clock: clock.clock)
            let erasing = ErasingPart(EraseJob(store.database, of: PinParts.all, clock: clock.clock))
            let process = try await RunningParts(
                [StorePart(store.database), pins, chosen, erasing], in: store.database, clock: clock.clock)
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(PinWorld(service: service, store: store, clock: clock)))
            } catch {
                result = .failure(error)
            }
            await process.stop()
            return try result.get()
        }
    }

    func create(_ request: CreatePinRequest, account: String = "ann") async throws -> PinContracts.Pin {
        try #require(try await service.pins.createPin(request, service.of(account)).pin)
    }

    func pin(_ id: String, account: String = "ann") async throws -> PinContracts.Pin {
        try #require(try await service.pins.getPin(GetPinRequest(id: id), service.of(account)).pin)
    }

    /// The pin as soon as it is as wanted.
    @discardableResult
    func untilPin(
        _ id: String, account: String = "ann", _ isWanted: (PinContracts.Pin) -> Bool
    ) async throws -> PinContracts.Pin {
        for try await answer in service.pins.watchPin(WatchPinRequest(id: id), service.of(account)) {
            if let pin = answer.pin, isWanted(pin) { return pin }
        }
        throw RPCError(.unknown, "the watch ended before the pin was as wanted")
    }

    /// All places of a pin.
    func places(_ id: String, pageSize: UInt32 = 1_000) async throws -> [PinPlace] {
        var request = ListPinPlacesRequest(id: id, pageSize: pageSize)
        var places: [PinPlace] = []
        repeat {
            let answer = try await service.pins.listPinPlaces(request, service.of("ann"))
            places += answer.places
            request.pageToken = answer.nextPageToken
        } while !request.pageToken.isEmpty
        return places
    }

    /// How many kinds of jobs the service waits for, each with a notice of its own.
    var jobKinds: Int { PlaceNetwork.names.count + 8 }

    /// Returns when no job is left. A pin turns green with what the feed tells, which may be before the job that asked
    /// for it has ended.
    func untilIdle() async throws {
        while try await jobCount() > 0 { await Task.yield() }
    }

    /// How many jobs of all kinds there are.
    func jobCount() async throws -> Int {
        try await store.database.read { transaction throws(SQLError) in
            var count = 0
            for kind in PlaceNetwork.names.map(Work.discovery) + [
                Work.name, Work.albums, Work.forget, Work.hold, Work.networks,
            ] {
                count += try transaction.jobCount(kind)
            }
            return count
        }
    }
}

/// Has an account erased without the part that keeps accounts.
private struct ErasingPart: Part {
    let jobs: [JobKind]

    init(_ job: EraseJob) { jobs = [job.kind] }
}
