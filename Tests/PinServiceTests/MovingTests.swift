import PhotoContracts
import PinContracts
import PlaceContracts
import Geo
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P5 P6 P11 A pin that changes while it fills")
struct MovingTests {
    /// Places around 60, 25 named n…, and around 61, 25 named m….
    private static func places() -> ScriptedPlaces {
        let places = ScriptedPlaces()
        places.set { state in
            state.places = (0..<300).map { .north(Double($0) + 1, of: 60, 25, id: "n\($0)") }
            state.places += (0..<20).map { .north(Double($0) + 1, of: 61, 25, id: "m\($0)") }
        }
        return places
    }

    private static func move(_ id: String, _ latitude: Double) -> MovePinRequest {
        MovePinRequest(id: id, position: BaseContracts.Coordinate(latitude: latitude, longitude: 25))
    }

    @Test("keeps what it has, adds what is new, and measures all from where it is now")
    func union() async throws {
        let albums = ScriptedAlbums()
        try await PinWorld.with(Self.places(), albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25))
            try await world.untilPin(created.id) { $0.state == .ready }
            let moved = try await world.service.pins.movePin(Self.move(created.id, 61), world.service.of("ann")).pin
            #expect(moved?.state == .new)
            #expect(moved?.placeCount == 300)
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.placeCount == 320)
            #expect(pin.searches.first?.placeCount == 20)
            let linked = try await world.places(pin.id, pageSize: 7)
            let centre = try Geo.Coordinate(latitude: 61, longitude: 25)
            for place in linked {
                let position = try #require(place.position)
                let at = try Geo.Coordinate(latitude: position.latitude, longitude: position.longitude)
                #expect(place.distanceM == centre.metres(to: at))
            }
            #expect(linked.map(\.distanceM) == linked.map(\.distanceM).sorted())
            #expect(Set(linked.map(\.id)).count == 320)
            let parts = albums.state.withLock { $0.parts }
            #expect(parts.map(\.places.count) == [300, 20], "only new places are told")
            #expect(parts.map(\.generation) == [1, 2])
        }
    }

    @Test("an answer to the search before a move adds places, and changes neither state nor search")
    func lateAnswer() async throws {
        let (places, gates) = (Self.places(), [Tally(), Tally()])
        places.set { state in
            state.before = { request in
                let isOld = request.centre?.latitude == 60
                if isOld, !request.pageToken.isEmpty { try await gates[0].wait() }
                if !isOld { try await gates[1].wait() }
            }
        }
        try await PinWorld.with(places) { world in
            let created = try await world.create(CreatePinRequest(60, 25))
            try await world.untilPin(created.id) { $0.state == .partial }
            _ = try await world.service.pins.movePin(Self.move(created.id, 61), world.service.of("ann"))
            gates[0].add()
            let late = try await world.untilPin(created.id) { $0.placeCount == 300 }
            #expect(late.state == .new)
            #expect(late.searches.first?.state == .searching)
            try await places.asked.wait(for: 3)
            #expect(try await world.pin(created.id).state == .new, "what was found before the move counts for nothing")
            gates[1].add()
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.placeCount == 320)
            #expect(pin.generation == 2)
        }
    }

    @Test("several moves in quick succession end with the last one's search, READY, and no work left")
    func manyMoves() async throws {
        let albums = ScriptedAlbums()
        try await PinWorld.with(Self.places(), albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            for number in 0..<20 {
                let request = Self.move(created.id, number.isMultiple(of: 2) ? 61 : 60)
                _ = try await world.service.pins.movePin(request, world.service.of("ann"))
            }
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.generation == 21)
            #expect(pin.position?.latitude == 60)
            #expect(pin.searches.first?.placeCount == 300)
            #expect(albums.state.withLock { $0.parts.last?.generation } == 21)
            try await world.untilIdle()
        }
    }

    @Test("one that is deleted leaves nothing, whatever still comes for it, and the photo service is told")
    func deleted() async throws {
        let (places, albums, gate) = (Self.places(), ScriptedAlbums(), Tally())
        places.set { $0.before = { request in if !request.pageToken.isEmpty { try await gate.wait() } } }
        try await PinWorld.with(places, albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            try await world.untilPin(created.id) { $0.state == .partial }
            let watch = world.service.pins.watchPin(WatchPinRequest(id: created.id), world.service.of("ann"))
            let answers = watch.makeAsyncIterator()
            #expect(try await answers.next()?.pin?.id == created.id)
            let removal = DeletePinRequest(id: created.id)
            #expect(try await world.service.pins.deletePin(removal, world.service.of("ann")).placeCount == 200)
            var last: WatchPinResponse?
            while let answer = try await answers.next() { last = answer }
            #expect(last?.deleted == true)
            gate.add()
            try await albums.forgets.wait()
            #expect(albums.state.withLock { $0.forgotten } == ["ann \(created.id)"])
            #expect(try await world.isEmptyOfPins())
            #expect(albums.state.withLock { $0.parts }.isEmpty)
        }
    }

    @Test("goes on after a restart in the middle, without anybody asking")
    func restart() async throws {
        try await TemporaryFolder.with { folder in
            let (albums, stuck) = (ScriptedAlbums(), Self.places())
            stuck.set { $0.before = { request in if !request.pageToken.isEmpty { try await Tally().wait() } } }
            let id = try await PinWorld.with(folder: folder, stuck, albums) { world in
                let created = try await world.create(CreatePinRequest(60, 25))
                try await world.untilPin(created.id) { $0.state == .partial }
                return created.id
            }
            albums.set { $0.fault = RPCError(.unavailable, "not now") }
            try await PinWorld.with(folder: folder, Self.places(), albums) { world in
                try await world.untilPin(id) { $0.searches.first?.state == .done }
                try await albums.searches.wait()
            }
            albums.set { $0.fault = nil }
            try await PinWorld.with(folder: folder, ScriptedPlaces(), albums, clock: ManualClock(1_800_000_000_000)) {
                let pin = try await $0.untilPin(id) { $0.state == .ready }
                #expect(pin.placeCount == 300)
            }
        }
    }

    @Test("a clock that goes back by a year holds nothing up")
    func clock() async throws {
        let (places, clock) = (Self.places(), ManualClock())
        places.set { $0.fault = { _ in RPCError(.unavailable, "not now") } }
        try await PinWorld.with(places, clock: clock) { world in
            let created = try await world.create(CreatePinRequest(60, 25))
            let waiting = try await world.untilPin(created.id) { $0.searches.first?.warning.isEmpty == false }
            #expect(waiting.state == .new)
            #expect(waiting.searches.first?.warning == "the places service can't be reached now")
            places.set { $0.fault = nil }
            world.pass(milliseconds: -365 * 86_400_000)
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(pin.searches.first?.warning == "")
        }
    }
}

extension PinWorld {
    /// Whether no row of any pin is left.
    func isEmptyOfPins() async throws -> Bool {
        try await store.database.read { transaction throws(SQLError) in
            let count = try transaction.first(
                """
                SELECT (SELECT count(*) FROM pins) + (SELECT count(*) FROM links) + (SELECT count(*) FROM pin_searches)
                    + (SELECT count(*) FROM jobs WHERE kind NOT IN ('forget', 'hold'))
                """
            ) { row throws(SQLError) in try row.integer(0) }
            return count == 0
        }
    }
}
