import PhotoContracts
import PinContracts
import PlaceContracts
import Geo
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P3 P14 A pin's places from live networks")
struct LiveNetworkTests {
    /// Three places of the catalog and two of a live network, which is asked as `result` says.
    private func places(_ result: NetworkResult) -> ScriptedPlaces {
        let places = DiscoveryTests.places(3)
        places.set { state in
            for number in 1...2 {
                var place = Place.north(Double(number) * 10, of: 60, 25, id: "x")
                place.id = "openstreetmap/node/\(number)"
                state.places.append(place)
            }
            state.live = ["openstreetmap", "something new"]
            state.discovered = { _ in result }
        }
        return places
    }

    /// A pin that was made when it was known that the live network can be asked.
    private func pin(
        _ result: NetworkResult, _ body: (PinWorld, PinContracts.Pin) async throws -> Void
    ) async throws {
        try await PinWorld.with(places(result)) { world in
            #expect(await eventually { world.service.networks.current.count == 2 })
            try await body(world, try await world.create(CreatePinRequest(60, 25, name: "here")))
        }
    }

    @Test("what a live network finds is linked beside the catalog's places, and the pin turns green")
    func green() async throws {
        try await pin(NetworkResult(network: "openstreetmap", status: .ok, placeCount: 2)) { world, created in
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.searches.map(\.network).sorted() == ["catalog", "openstreetmap"])
            #expect(pin.searches.allSatisfy { $0.state == .done && $0.warning.isEmpty })
            #expect(pin.placeCount == 5)
            let linked = try await world.service.pins.listPinPlaces(
                ListPinPlacesRequest(id: pin.id, networks: ["openstreetmap"]), world.service.of("ann"))
            #expect(linked.places.map(\.id) == ["openstreetmap/node/1", "openstreetmap/node/2"])
        }
    }

    @Test("neither photos nor READY wait for a network that is away, whose places come when it is back")
    func ownPhotosFirst() async throws {
        let isBack = Mutex(false)
        let places = places(NetworkResult())
        places.set { state in
            state.discovered = { _ in
                isBack.withLock { $0 }
                    ? NetworkResult(network: "openstreetmap", status: .ok, placeCount: 2)
                    : NetworkResult(network: "openstreetmap", status: .unavailable, message: "it is away")
            }
        }
        let albums = ScriptedAlbums()
        try await PinWorld.with(places, albums) { world in
            #expect(await eventually { world.service.networks.current.count == 2 })
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            let known = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(known.searches.last?.warning == "it is away; it is asked again")
            isBack.withLock { $0 = true }
            let whole = try await world.passing(created.id) { $0.searches.last?.state == .done }
            #expect(whole.state == .ready && whole.placeCount == 5 && whole.searches.allSatisfy(\.warning.isEmpty))
            try await world.untilIdle()
            let parts = albums.state.withLock { $0.parts }
            #expect(parts.last?.morePlacesFollow == false)
            #expect(Set(parts.flatMap(\.places).map(\.id)).count == 5)
        }
    }

    @Test("a live network that has more than it can tell leaves a warning on a green pin")
    func truncated() async throws {
        let result = NetworkResult(network: "openstreetmap", status: .truncated, message: "there are more")
        try await pin(result) { world, created in
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            let search = try #require(pin.searches.first { $0.network == "openstreetmap" })
            #expect(search.truncated)
            #expect(search.warning == "there are more")
        }
    }

    @Test("one that refuses again and again has failed, with its reason; what it gave before stays, the pin is READY")
    func failed() async throws {
        let result = NetworkResult(network: "openstreetmap", status: .auth, message: "the key is not accepted (401)")
        try await pin(result) { world, created in
            while try await world.pin(created.id).searches.contains(where: { $0.state != .done && $0.state != .failed })
            {
                world.pass(milliseconds: 60_000)
                try await world.untilNoneRuns(Work.discovery(at: "openstreetmap"))
            }
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            let search = try #require(pin.searches.first { $0.network == "openstreetmap" })
            #expect(search.state == .failed)
            #expect(search.warning.contains("the key is not accepted (401)"))
            #expect(pin.placeCount == 5)
        }
    }

    @Test(
        "one that is away or busy is asked until it answers, not before the pause it wants, and the pin says so",
        arguments: [DiscoverStatus.timeout, .quota, .unavailable])
    func away(status: DiscoverStatus) async throws {
        let (places, asked) = (places(NetworkResult()), Tally())
        places.set { state in
            state.discovered = { _ in
                asked.add()
                let name = "openstreetmap"
                return asked.count > 7
                    ? NetworkResult(network: name, status: .ok, placeCount: 2)
                    : NetworkResult(network: name, status: status, retryAfterMs: 20_000, message: "it is busy")
            }
        }
        try await PinWorld.with(places) { world in
            #expect(await eventually { world.service.networks.current.count == 2 })
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            let waiting = try await world.untilPin(created.id) { $0.searches.contains { !$0.warning.isEmpty } }
            let isLate = status == .timeout
            #expect(waiting.searches.last?.warning == (isLate ? "it is busy" : "it is busy; it is asked again"))
            let kind = Work.discovery(at: "openstreetmap")
            #expect(try await world.nextTime(of: kind) == world.clock.now + 20_000)
            var passes = 0
            while try await world.pin(created.id).searches.contains(where: { $0.state != .done }) {
                world.pass(milliseconds: 60_000)
                passes += 1
                try await world.untilNoneRuns(kind)
            }
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.searches.allSatisfy { $0.state == .done && $0.warning.isEmpty })
            // Once more each time that the clock went on while it was asked, so that its lease was over.
            #expect((8...8 + passes).contains(asked.count), "\(asked.count)")
        }
    }

    @Test("one that gives nothing for hours is asked again then; the pin is READY without the rest, and says why")
    func exhausted() async throws {
        let result = NetworkResult(
            network: "openstreetmap", status: .quota, retryAfterMs: 5 * 3_600_000, message: "today's are used up")
        try await pin(result) { world, created in
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            let search = try #require(pin.searches.first { $0.network == "openstreetmap" })
            #expect(search.state == .retrying)
            #expect(search.warning == "today's are used up; it is asked again")
            #expect(pin.placeCount == 5)
            try await world.untilNoneRuns()
            #expect(
                try await world.nextTime(of: Work.discovery(at: "openstreetmap")) == world.clock.now + 5 * 3_600_000)
        }
    }

    @Test("one that never answers holds up no pin's catalog")
    func silent() async throws {
        let places = SilentNetwork()
        try await TemporaryFolder.with { folder in
            try await PinWorld.with(folder, places, NoAlbums(), ManualClock(), [.catalog()], DatabaseSettings()) {
                world in
                #expect(await eventually { world.service.networks.current.count == 2 })
                var pins: [PinContracts.Pin] = []
                for _ in 1...40 { pins.append(try await world.create(CreatePinRequest(60, 25, name: "here"))) }
                for pin in pins {
                    try await world.untilPin(pin.id) {
                        $0.searches.contains { $0.network == "catalog" && $0.state == .done }
                    }
                }
                #expect(places.ended.count == 0)
            }
        }
    }

    @Test("what an earlier program asked for as one kind of work for all networks is done")
    func oneKind() async throws {
        let networks = PinNetworks([.catalog()])
        networks.setLive(["openstreetmap"])
        let result = NetworkResult(network: "openstreetmap", status: .ok, placeCount: 2)
        try await TemporaryFolder.with { folder in
            let id = try await RunningPinService.with(folder: folder, networks: networks) { service, store in
                let request = CreatePinRequest(60, 25, name: "here")
                let pin = try await service.pins.createPin(request, service.of("ann")).pin
                let renamed = try await store.database.write { transaction throws(SQLError) in
                    try transaction.change("UPDATE jobs SET kind = 'discover' WHERE kind = 'discover/openstreetmap'")
                }
                #expect(renamed == 1)
                return try #require(pin).id
            }
            try await PinWorld.with(folder: folder, places(result), ScriptedAlbums()) { world in
                #expect(try await world.untilPin(id) { $0.state == .ready }.placeCount == 5)
                try await world.untilIdle()
            }
        }
    }

    @Test("a pin that moves after its network was turned off waits for it no more, and keeps what it gave")
    func turnedOff() async throws {
        let result = NetworkResult(network: "openstreetmap", status: .ok, placeCount: 2)
        let albums = ScriptedAlbums()
        try await TemporaryFolder.with { folder in
            let id = try await PinWorld.with(folder: folder, places(result), albums) { world in
                #expect(await eventually { world.service.networks.current.count == 2 })
                let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
                try await world.untilPin(created.id) { $0.state == .ready }
                return created.id
            }
            try await PinWorld.with(folder: folder, DiscoveryTests.places(3), albums) { world in
                world.service.networks.setLive([])
                let move = MovePinRequest(id: id, position: Coordinate(latitude: 61, longitude: 25))
                _ = try await world.service.pins.movePin(move, world.service.of("ann"))
                let pin = try await world.untilPin(id) { $0.state == .ready }
                #expect(pin.generation == 2)
                #expect(pin.searches.map(\.network) == ["catalog"])
                #expect(pin.placeCount == 5)
                try await world.untilIdle()
            }
        }
    }

    @Test("a pin without places is searched again when a network is switched on; one with places is left alone")
    func switchedOn() async throws {
        let places = places(NetworkResult(network: "openstreetmap", status: .ok, placeCount: 2))
        places.turnOn([])
        try await PinWorld.with(places) { world in
            let full = try await world.create(CreatePinRequest(60, 25, name: "full"))
            try await world.untilPin(full.id) { $0.state == .ready }
            places.set { state in state.places.removeAll { $0.id.hasPrefix("catalog") } }
            let empty = try await world.create(CreatePinRequest(60, 25, name: "empty"))
            try await world.untilPin(empty.id) { $0.state == .ready }
            try await world.untilIdle()
            world.clock.move(by: 60_000)
            places.turnOn(["openstreetmap"])
            let filled = try await world.untilPin(empty.id) { $0.placeCount == 2 && $0.state == .ready }
            #expect(filled.generation == 2 && filled.searches.map(\.network) == ["catalog", "openstreetmap"])
            #expect(try await world.pin(full.id).searches.map(\.network) == ["catalog"])
            // Once is enough.
            try await world.untilIdle()
            places.turnOn([])
            places.turnOn(["openstreetmap"])
            #expect(await eventually { world.service.networks.current.count == 2 })
            #expect(try await world.pin(empty.id).generation == 2)
        }
    }

    @Test("a pin that is made before the news of a switch is heard is searched for there as well")
    func heardLate() async throws {
        let places = places(NetworkResult(network: "openstreetmap", status: .ok, placeCount: 2))
        places.turnOn([])
        try await PinWorld.with(places) { world in
            let id = try await world.create(CreatePinRequest(60, 25, name: "here")).id
            let early = try await world.untilPin(id) { $0.state == .ready }
            #expect(early.placeCount > 0 && early.searches.map(\.network) == ["catalog"])
            places.turnOn(["openstreetmap"])
            let pin = try await world.untilPin(id) { $0.generation == 2 && $0.state == .ready }
            #expect(pin.searches.map(\.network) == ["catalog", "openstreetmap"])
        }
    }

    @Test("a pin that moves before it is known which networks there are is searched for where it was before")
    func early() async throws {
        let networks = PinNetworks([.catalog()])
        networks.setLive(["openstreetmap"])
        try await TemporaryFolder.with { folder in
            let id = try await RunningPinService.with(folder: folder, networks: networks) { service, _ in
                let request = CreatePinRequest(60, 25, name: "here")
                return try #require(try await service.pins.createPin(request, service.of("ann")).pin).id
            }
            try await RunningPinService.with(folder: folder) { service in
                for latitude in [61.0, 62] {
                    let move = MovePinRequest(id: id, position: Coordinate(latitude: latitude, longitude: 25))
                    let pin = try await service.pins.movePin(move, service.of("ann")).pin
                    let wanted = latitude == 61 ? ["catalog", "openstreetmap"] : ["catalog"]
                    #expect(pin?.searches.map(\.network) == wanted)
                    service.networks.setLive([])
                }
            }
        }
    }

    @Test("until it is known which networks there are, a new pin is searched for in those that its account names")
    func chosen() {
        let networks = PinNetworks([.catalog()])
        let choice = PinService.NetworkChoice.some(["catalog", "foursquare", "flickr"])
        #expect(networks.current(by: choice).map(\.name) == ["catalog", "foursquare"])
        #expect(networks.current(by: .all).map(\.name) == ["catalog"])
        networks.setLive(["openstreetmap"])
        #expect(networks.current(by: choice).map(\.name) == ["catalog"])
    }

    @Test("a pin that an earlier program let wait for a network that was turned off turns green at the next start")
    func stuck() async throws {
        let albums = ScriptedAlbums()
        try await TemporaryFolder.with { folder in
            let id = try await PinWorld.with(folder: folder, DiscoveryTests.places(3), albums) { world in
                let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
                try await world.untilPin(created.id) { $0.state == .ready }
                try await world.untilIdle()
                return created.id
            }
            let old = try await PinStore.open("\(folder)/pins.db")
            _ = try await old.database.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE pins SET state = 2, generation = 2")
                try transaction.execute("UPDATE pin_searches SET generation = 2")
                guard let id = PinID(id) else { return }
                try transaction.putSearch(NetworkSearch(network: "openstreetmap", generation: 1), of: id)
            }
            await old.close()
            try await PinWorld.with(folder: folder, DiscoveryTests.places(3), albums) { world in
                let pin = try await world.untilPin(id) { $0.state == .ready }
                #expect(pin.searches.map(\.network) == ["catalog"])
            }
        }
    }
}

extension PinWorld {
    /// When a job of a kind is due, in milliseconds since 1970.
    fileprivate func nextTime(of kind: String) async throws -> Int64? {
        try await store.database.read { transaction throws(SQLError) in
            try transaction.first("SELECT next_ms FROM jobs WHERE kind = ?1", kind) { row throws(SQLError) in
                try row.integer(0)
            }
        }
    }
}

/// A catalog without places, and a live network that takes its time for ever.
private struct SilentNetwork: PlaceFinder {
    /// Searches of the live network that somebody gave up.
    let ended = Tally()

    func places(_: PlaceQuestion, page _: String, limit _: Int) async throws(PeerError) -> PlacePage {
        PlacePage(places: [], next: "")
    }

    func discover(_: PlaceQuestion) async throws(PeerError) -> LiveAnswer {
        try? await Tally().wait()
        ended.add()
        throw .unreachable("nobody waits for it any longer")
    }

    func find(_: String, near _: Geo.Coordinate?, account _: String) async throws(PeerError) -> FoundPoint? { nil }
    func liveNetworks() async throws(PeerError) -> [String] { ["openstreetmap"] }
    func configuredNetworks(for _: String) async throws(PeerError) -> [String] { ["catalog", "openstreetmap"] }

    func followNetworks(_ take: ([String]) async throws -> Void) async throws {
        try await take(["openstreetmap"])
        try await Tally().wait()
    }

    func areasEdition() async throws(PeerError) -> String { "" }
    func name(of _: Geo.Coordinate, account _: String) async throws(PeerError) -> String? { nil }
    func hold(_: PinService.Pin) async throws(PeerError) {}
    func release(_: PinID) async throws(PeerError) {}
    func forgetFindings(of _: String) async throws(PeerError) {}
}

/// A photo service that takes everything and tells nothing.
private struct NoAlbums: AlbumSearcher {
    func search(_: AlbumSearch) async throws(PeerError) {}
    func forget(_: PinID, account _: String) async throws(PeerError) {}
    func forgetAccount(_: String) async throws(PeerError) {}
    func configuredNetworks(for _: String) async throws(PeerError) -> [String] { [] }
    func choose(_: AccountSettings, account _: String) async throws(PeerError) {}

    func follow(after _: FeedPosition, _: (AlbumUpdates) async throws -> Void) async throws {
        try await Tally().wait()
    }
}
