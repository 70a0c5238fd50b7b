import PhotoContracts
import PinContracts
import PlaceContracts
import EventLoops
import RPC
import Storage
import Synchronization
import TestSupport
import Testing

@testable import PinService

@Suite("P3 P4 A pin turns green")
struct DiscoveryTests {
    /// Places at 1, 2, … metres north of 60, 25.
    static func places(_ count: Int) -> ScriptedPlaces {
        let places = ScriptedPlaces()
        places.set { $0.places = (0..<count).map { .north(Double($0) + 1, of: 60, 25, id: "\($0)") } }
        return places
    }

    @Test("its places are linked nearest first, with what their pages show, and it is READY when the photos are known")
    func green() async throws {
        let (places, albums) = (Self.places(450), ScriptedAlbums())
        albums.set { $0.photos = ["catalog/test/0": 3, "catalog/test/449": 2] }
        try await PinWorld.with(places, albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 500, name: "here"))
            #expect(created.state == .new)
            #expect(created.searches.first?.state == .searching)
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.placeCount == 450)
            #expect(pin.photoPlaceCount == 2)
            #expect(pin.photoCount == 5)
            #expect(pin.album?.state == .empty)
            #expect(pin.searches.map(\.state) == [.done])
            #expect(pin.searches.first?.placeCount == 450)
            #expect(pin.searches.first?.warning == "")
            let linked = try await world.places(pin.id, pageSize: 100)
            #expect(linked.map(\.id) == (0..<450).map { "catalog/test/\($0)" })
            #expect(linked.first?.categories == ["amenity/cafe", "shop"])
            #expect(linked.first?.name == "Place 0")
            #expect(abs((linked.first?.distanceM ?? 0) - 1) < 0.01)
            #expect(linked.map(\.photoCount).reduce(0, +) == 5)
            #expect(places.accounts.withLock { $0 } == ["ann"], "asked in the name of the pin's account")
            #expect(albums.state.withLock { $0.accounts } == ["ann"])
            let parts = albums.state.withLock { $0.parts }
            #expect(parts.map(\.places.count) == [450])
            #expect(parts.map(\.isLast) == [true])
            try await world.untilIdle()
        }
    }

    @Test("only what lies within the radius is linked, whatever the network answers")
    func radius() async throws {
        let places = Self.places(100)
        places.set { $0.isSloppy = true }
        try await PinWorld.with(places) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 50))
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect((49...50).contains(pin.placeCount))
            #expect(try await world.places(pin.id).allSatisfy { $0.distanceM <= 50 })
        }
    }

    @Test("more places than a pin links are cut off, which is told")
    func truncated() async throws {
        try await PinWorld.with(Self.places(1_201)) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 2_000))
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.placeCount == 1_000)
            #expect(pin.searches.first?.truncated == true)
            #expect(pin.searches.first?.warning == "", "B4: nothing is wrong")
            #expect(try await world.places(pin.id).last?.id == "catalog/test/999")
        }
        try await PinWorld.with(Self.places(1_000)) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 2_000))
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.placeCount == 1_000)
            #expect(pin.searches.first?.truncated == false, "none is missing")
        }
    }

    @Test("one without any place is READY too")
    func empty() async throws {
        try await PinWorld.with(ScriptedPlaces()) { world in
            let created = try await world.create(CreatePinRequest(60, 25))
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.placeCount == 0)
            #expect(
                try await world.service.pins.getBounds(GetBoundsRequest(pinId: pin.id), world.service.of("ann")).box
                    == nil)
        }
    }

    @Test("it is PARTIAL from the first page on, and not READY before its photos are known")
    func partial() async throws {
        let (places, albums, gate) = (Self.places(300), ScriptedAlbums(), Tally())
        places.set { $0.before = { request in if !request.pageToken.isEmpty { try await gate.wait() } } }
        albums.set { $0.endsSearches = false }
        try await PinWorld.with(places, albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25))
            let pin = try await world.untilPin(created.id) { $0.state == .partial }
            #expect(pin.placeCount == 200)
            gate.add()
            let found = try await world.untilPin(created.id) { $0.searches.first?.state == .done }
            #expect(found.state == .partial)
            #expect(found.placeCount == 300)
            try await albums.searches.wait()
            albums.tell("pin/\(pin.id)", AlbumSummary(state: .searching), generation: 0)
            albums.tell("pin/\(pin.id)", AlbumSummary(state: .downloading, photoCount: 9), generation: 1)
            let ready = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(ready.album == AlbumSummary(state: .downloading, photoCount: 9))
        }
    }

    @Test(
        "a network that refuses is FAILED with the reason at once, and asked no more after five times; the album is"
    )
    func failed() async throws {
        let (places, albums, clock) = (Self.places(10), ScriptedAlbums(), ManualClock())
        places.set { $0.fault = { _ in RPCError(.internalError, "the catalog is broken") } }
        try await PinWorld.with(places, albums, clock: clock) { world in
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            let first = try await world.untilPin(created.id) { $0.searches.first?.state == .retrying }
            #expect(first.state == .failed)
            let pin = try await world.passing(created.id) { $0.searches.first?.state == .failed }
            #expect(pin.state == .failed)
            #expect(pin.searches.first?.warning.contains("the catalog is broken") == true)
            try await albums.searches.wait()
            #expect(places.asked.count == 5)
        }
    }

    @Test("it is called after where it is, unless a person named it or nothing is known")
    func naming() async throws {
        let places = ScriptedPlaces()
        places.set { $0.name = "Vantaa" }
        try await PinWorld.with(places) { world in
            let pin = try await world.create(CreatePinRequest(60, 25))
            #expect(pin.name == "60, 25")
            #expect(try await world.untilPin(pin.id) { $0.name == "Vantaa" }.isNamed == false)
            let named = try await world.create(CreatePinRequest(60, 25, name: "Mine"))
            #expect(try await world.untilPin(named.id) { $0.state == .ready }.name == "Mine")
            places.set { $0.name = "" }
            let far = try await world.create(CreatePinRequest(61, 25))
            #expect(try await world.untilPin(far.id) { $0.state == .ready }.name == "61, 25")
        }
    }

    @Test("a geocoder that fails holds nothing up")
    func geocoder() async throws {
        let places = Self.places(3)
        places.set { $0.nameFault = RPCError(.unavailable, "no geocoder") }
        try await PinWorld.with(places) { world in
            let pin = try await world.create(CreatePinRequest(60, 25))
            #expect(try await world.untilPin(pin.id) { $0.state == .ready }.name == "60, 25")
        }
    }
}

extension PinWorld {
    /// Moves the clock, and lets everybody look at it who waits for a time.
    func pass(milliseconds: Int64) {
        clock.move(by: milliseconds)
        store.database.notices.deliverAll()
    }

    /// The pin as soon as it is as wanted, while minutes go by, in steps of less than a job's lease: one may have begun
    /// since it was looked whether any runs. No second step comes before its lease is seen, since a write waits for
    /// those before it.
    @discardableResult
    func passing(_ id: String, until isWanted: (PinContracts.Pin) -> Bool) async throws -> PinContracts.Pin {
        while true {
            let pin = try await pin(id)
            if isWanted(pin) { return pin }
            try await store.database.write { _ in }
            try await untilNoneRuns()
            pass(milliseconds: 30_000)
        }
    }
}
