import PinContracts
import Daemon
import Geo
import Requests
import Storage
import Stores
import TestTools
import Testing
import Wire

@testable import NearRows
@testable import PinService

@Suite("P12 Pins in memory are those of the database, at once and at every replica")
struct PinsFollowedTests {
    private static let seed = UInt64.random(in: 0...UInt64.max)
    private static let accounts = ["ann", "bob"]

    /// The same search as the database answers it.
    private static func expected(
        _ request: PinsNearRequest, of account: String, _ store: PinStore
    ) async throws -> PinsNearResponse {
        let query = try NearQuery(centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        let found = try await store.read { transaction throws(SQLError) in
            try NearPins().nearest(query, for: account, transaction)
        }
        let pins = try found.hits.map { hit in
            var pin = try PinContracts.Pin(packed: hit.row.message)
            pin.distanceM = hit.metres
            return pin
        }
        return PinsNearResponse(pins: pins, truncated: found.isTruncated)
    }

    private static func pin(_ account: String, _ random: inout SeededGenerator) throws -> PinService.Pin {
        let (latitude, longitude) = point(&random)
        return PinService.Pin(
            try PinDraft(CreatePinRequest(latitude, longitude)), id: .make(unixMilliseconds: 1), account: account,
            networks: [], unixMilliseconds: 1)
    }

    /// Some are the same.
    private static func point(_ random: inout SeededGenerator) -> (Double, Double) {
        (60 + Double(Int.random(in: 0...30, using: &random)) / 1_000, 25 + Double.random(in: 0...0.03, using: &random))
    }

    private static func change(
        _ store: PinStore, _ account: String, _ known: inout [PinID], _ random: inout SeededGenerator
    ) async throws {
        let fresh = try (0..<3).map { _ in try pin(account, &random) }
        let (kind, id) = (Int.random(in: 0..<7, using: &random), known.randomElement(using: &random))
        let (latitude, longitude) = point(&random)
        let position = try Geo.Coordinate(latitude: latitude, longitude: longitude)
        try await store.database.write(.subject(account)) { transaction throws(SQLError) in
            guard kind > 1, let id, var pin = try transaction.pin(id, of: account) else {
                _ = try transaction.create(fresh[0], at: 1)
                if kind == 1 { _ = try transaction.insert(Array(fresh[1...]), known: [nil, nil], of: account) }
                return
            }
            switch kind {
            case 2: try transaction.delete(pin, at: 1)
            case 3, 4:
                pin.position = position
                _ = try transaction.move(pin, at: 1)
            case 5: _ = try transaction.rename(pin.renamed("again"), at: 1)
            default:
                let place = NetworkPlace(id: "catalog/\(latitude)", name: "x", categories: [], position: position)
                _ = try transaction.link([place], of: "catalog", to: pin, asked: 1)
            }
        }
        known = try await store.read { transaction throws(SQLError) in
            try transaction.pinIDs(of: account, PinListing(after: .start, limit: 1_000))
        }
    }

    @Test("whatever is made, moved, named, counted, imported or deleted, each search gives what the database gives")
    func follows() async throws {
        var random = SeededGenerator(seed: Self.seed)
        try await TemporaryFolder.with { folder in
            var known: [String: [PinID]] = [:]
            // The second time all is there at the start.
            for round in 0..<2 {
                try await RunningPinService.with(
                    folder: folder, clock: WallClock { RunningPinService.now }
                ) { service, store in
                    for step in 0..<80 {
                        let account = random.one(of: Self.accounts)
                        try await Self.change(store, account, &known[account, default: []], &random)
                        let (latitude, longitude) = Self.point(&random)
                        let request = PinsNearRequest(
                            latitude, longitude, radius: random.one(of: [0, 300, 5_000]),
                            limit: UInt32(random.one(of: [1, 5, 200])))
                        for account in Self.accounts {
                            let given = try await service.pins.pinsNear(request, service.of(account))
                            let expected = try await Self.expected(request, of: account, store)
                            #expect(given == expected, "seed \(Self.seed), round \(round), step \(step)")
                        }
                    }
                }
            }
        }
    }

    @Test(
        "an answer is given again without the database until something changes",
        .enabled(if: PostgresServer.isOfFiles, "a server is asked for the last version"))
    func warm() async throws {
        try await TemporaryFolder.with { folder in
            try await RunningPinService.with(folder: folder, clock: WallClock { RunningPinService.now }) {
                service, store in
                let pin = try #require(
                    try await service.pins.createPin(CreatePinRequest(60, 25), service.of("ann")).pin)
                let request = PinsNearRequest(60, 25)
                let first = try await service.pins.pinsNear(request, service.of("ann"))
                let reads = store.database.metrics.reads
                let second = try await service.pins.pinsNear(request, service.of("ann"))
                #expect(store.database.metrics.reads == reads)
                #expect(second == first && second.pins.map(\.id) == [pin.id])
                _ = try await service.pins.renamePin(
                    RenamePinRequest(id: pin.id, name: "here"), service.of("ann"))
                let third = try await service.pins.pinsNear(request, service.of("ann"))
                #expect(third.pins.map(\.name) == ["here"])
                let explained = try await service.pins.pinsNear(
                    PinsNearRequest(centre: request.centre, explain: true), service.of("ann"))
                #expect(explained.explanation?.foundCount == 1 && explained.explanation?.testedCount == 1)
            }
        }
    }

    @Test("what is written at one replica is in the next search at the other one")
    func replicas() async throws {
        var random = SeededGenerator(seed: Self.seed)
        try await TemporaryFolder.with { folder in
            let place = try PostgresServer.sharedPlace(of: "\(folder)/pins.db")
            var settings = DatabaseSettings()
            settings.schema = place.schema
            let stores = [
                try await PinStore.open(place.address, settings: settings),
                try await PinStore.open(place.address, settings: settings),
            ]
            var known: [PinID] = []
            for step in 0..<60 {
                try await Self.change(stores[step % 2], "ann", &known, &random)
                let request = PinsNearRequest(60.015, 25.015, radius: 5_000, limit: 50)
                let query = try NearQuery(centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
                let found = try await stores[1 - step % 2].near.near(query, for: "ann")
                let expected = try await Self.expected(request, of: "ann", stores[0])
                #expect(
                    try PinsNearResponse(packed: found.rows.bytes).pins == expected.pins,
                    "seed \(Self.seed), step \(step)")
            }
            for store in stores { await store.close() }
        }
    }
}
