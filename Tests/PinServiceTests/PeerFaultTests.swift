import PhotoContracts
import PinContracts
import Daemon
import EventLoops
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P4 P11 P24 Other services that fail, vanish or forget")
struct PeerFaultTests {
    @Test("a pin whose places service is not there is FAILED with the reason, and READY when that is back, by itself")
    func vanished() async throws {
        let (albums, clock, places) = (ScriptedAlbums(), ManualClock(), DiscoveryTests.places(3))
        let check = IdentityCheck(try #require(RunningPinService.key))
        let first = try await TestServer(Router([places]), host: TestServer.quietHost, interceptors: [check])
        let endpoint = first.endpoint
        await first.stop()
        try await TestServer.with(Router([albums]), interceptors: [check]) { photos in
            try await photos.withClient { photos in
                try await TestClient.with(endpoint) { client in
                    try await TemporaryFolder.with { folder in
                        let settings = DatabaseSettings()
                        try await PinWorld.with(folder, client, photos, clock, [.catalog()], settings) { world in
                            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
                            let waiting = try await world.passing(created.id) { $0.state == .failed }
                            #expect(waiting.searches.first?.state == .retrying)
                            let warning = try #require(waiting.searches.first?.warning)
                            #expect(warning.contains("the places service") && warning.hasSuffix("; it is asked again"))
                            try await world.untilPin(created.id) { $0.album?.state == .empty }
                            try await TestServer.with(
                                Router([places]), host: endpoint.host, port: endpoint.port, interceptors: [check]
                            ) { _ in
                                // A try may still find the client waiting before it dials again.
                                while try await world.pin(created.id).placeCount == 0 {
                                    try await world.untilNoneRuns(Work.discover)
                                    world.pass(milliseconds: 60_000)
                                }
                                let pin = try await world.untilPin(created.id) { $0.state == .ready }
                                #expect(pin.placeCount == 3)
                                #expect(pin.searches.first?.warning == "")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("a photo service whose data was replaced is told of everything anew, and what it said is void")
    func replaced() async throws {
        let albums = ScriptedAlbums()
        albums.set { $0.photos = ["catalog/test/0": 3, "catalog/test/1": 1] }
        try await PinWorld.with(DiscoveryTests.places(3), albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            try await world.untilPin(created.id) { $0.state == .ready && $0.photoCount == 4 }
            albums.set { state in
                state.epoch = 8
                state.version = 0
                state.sent = [:]
                state.parts = []
                state.photos = ["catalog/test/1": 9]
            }
            let pin = try await world.untilPin(created.id) { $0.photoCount == 9 }
            #expect(pin.photoPlaceCount == 1)
            #expect(pin.state == .ready)
            #expect(albums.state.withLock { $0.parts.map(\.places.count) } == [3])
        }
    }

    @Test("a photo service that refuses is asked until it answers; the pin is READY without it, and says so")
    func refusing() async throws {
        let (albums, clock) = (ScriptedAlbums(), ManualClock())
        albums.set { $0.fault = RPCError(.internalError, "broken") }
        try await PinWorld.with(DiscoveryTests.places(3), albums, clock: clock) { world in
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            for count in 1...8 {
                try await albums.searches.wait(for: count)
                try await world.untilNoneRuns(Work.albums)
                let pin = try await world.pin(created.id)
                #expect(pin.state == (count < 3 ? .partial : .ready))
                #expect(pin.photoWarning == (count < 3 ? "" : "broken; it is asked again"))
                #expect(pin.album?.state == (count < 3 ? .searching : .failed))
                if count == 8 { albums.set { $0.fault = nil } }
                world.pass(milliseconds: 60_000)
            }
            let pin = try await world.untilPin(created.id) { $0.photoWarning.isEmpty }
            #expect(pin.state == .ready && pin.album?.state == .empty)
        }
    }

    @Test("a pin with more places than one part of a search takes is told in parts, the last one marked")
    func parts() async throws {
        let albums = ScriptedAlbums()
        let networks = [PlaceNetwork.catalog(maximumLinks: 5_000)]
        try await PinWorld.with(DiscoveryTests.places(2_300), albums, networks: networks) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 5_000, name: "here"))
            try await world.untilPin(created.id) { $0.state == .ready }
            let parts = albums.state.withLock { $0.parts }
            #expect(parts.map(\.places.count) == [1_000, 1_000, 300])
            #expect(parts.map(\.isLast) == [false, false, true])
            #expect(Set(parts.flatMap(\.places).map(\.id)).count == 2_300)
        }
    }

    @Test("places that an account's pins share have their photos on both at once, and on others' pins what these see")
    func shared() async throws {
        let albums = ScriptedAlbums()
        try await PinWorld.with(DiscoveryTests.places(3), albums) { world in
            let first = try await world.create(CreatePinRequest(60, 25, name: "first"))
            try await world.untilPin(first.id) { $0.state == .ready }
            albums.tell("place/catalog/test/2", AlbumSummary(state: .listed, photoCount: 6))
            try await world.untilPin(first.id) { $0.photoCount == 6 }
            let second = try await world.create(CreatePinRequest(60, 25, name: "second"))
            #expect(try await world.untilPin(second.id) { $0.state == .ready }.photoCount == 6)
            let other = try await world.create(CreatePinRequest(60, 25, name: "other"), account: "bob")
            #expect(try await world.untilPin(other.id, account: "bob") { $0.state == .ready }.photoCount == 0)
            let counts = [AccountPhotos(account: "ann", photoCount: 7), AccountPhotos(account: "bob", photoCount: 2)]
            albums.tell("place/catalog/test/2", AlbumSummary(state: .listed, photoCount: 1), accounts: counts)
            try await world.untilPin(other.id, account: "bob") { $0.photoCount == 2 }
            try await world.untilPin(first.id) { $0.photoCount == 7 }
        }
    }

    @Test("pins that a program without searches has stored are searched for")
    func adopted() async throws {
        try await TemporaryFolder.with { folder in
            let id = try await RunningPinService.with(folder: folder) { service in
                try #require(try await service.pins.createPin(CreatePinRequest(60, 25), service.of("ann")).pin?.id)
            }
            let old = try await PinStore.open("\(folder)/pins.db")
            _ = try await old.database.write { transaction throws(SQLError) in
                try transaction.execute("DELETE FROM jobs")
                try transaction.execute("DELETE FROM pin_searches")
            }
            await old.close()
            try await PinWorld.with(folder: folder, DiscoveryTests.places(3), ScriptedAlbums()) { world in
                let pin = try await world.untilPin(id) { $0.state == .ready }
                #expect(pin.placeCount == 3)
            }
        }
    }

    @Test("two hundred pins that are created at once all turn green")
    func many() async throws {
        try await PinWorld.with(DiscoveryTests.places(250)) { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let pin = try await Self.patiently {
                            try await world.create(CreatePinRequest(60, 25, name: "\(number)"))
                        }
                        #expect(try await world.untilPin(pin.id) { $0.state == .ready }.placeCount == 250)
                    }
                }
                try await group.waitForAll()
            }
            try await world.untilIdle()
        }
    }

    /// Tries again while the service refuses because it has too much to do.
    private static func patiently<Value>(_ body: () async throws -> Value) async throws -> Value {
        while true {
            do {
                return try await body()
            } catch let error as RPCError where error.code == .resourceExhausted {
                await Task.yield()
            }
        }
    }
}

extension PinWorld {
    /// Returns when no job of a kind runs, or none at all.
    func untilNoneRuns(_ kind: String = "%") async throws {
        while try await store.database.read(
            .snapshot,
            { transaction throws(SQLError) in
                try transaction.first("SELECT count(*) FROM jobs WHERE kind LIKE ?1 AND lease <> 0", kind) {
                    row throws(SQLError) in try row.integer(0)
                }
            }) != 0
        { await Task.yield() }
    }
}
