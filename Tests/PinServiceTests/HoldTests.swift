import PinContracts
import PlaceContracts
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P6 The places service learns where pins are", .timeLimit(.minutes(3)))
struct HoldTests {
    private static let request = CreatePinRequest(
        position: Coordinate(latitude: 60, longitude: 25), radiusM: 300, name: "Here")

    @Test("of a new pin, of one that moves, and of one that is gone")
    func said() async throws {
        let places = ScriptedPlaces()
        try await PinWorld.with(places) { world in
            let pin = try await world.create(Self.request)
            try await world.untilIdle()
            let first = places.areas.state.withLock { $0.held[pin.id] }
            #expect(first == [HoldAreaRequest(pinId: pin.id, centre: pin.position, radiusM: 300)])
            let move = MovePinRequest(id: pin.id, position: Coordinate(latitude: 61, longitude: 25), radiusM: 500)
            _ = try await world.service.pins.movePin(move, world.service.of("ann"))
            try await world.untilIdle()
            let both = places.areas.state.withLock { $0.held[pin.id] }
            #expect(both?.map(\.radiusM) == [300, 500] && both?.last?.centre?.latitude == 61)
            _ = try await world.service.pins.deletePin(DeletePinRequest(id: pin.id), world.service.of("ann"))
            try await world.untilIdle()
            let (held, released) = places.areas.state.withLock { ($0.held, $0.released) }
            #expect(held.isEmpty && released == [pin.id])
        }
    }

    @Test("again when it could not be said, until it is")
    func repeated() async throws {
        let places = ScriptedPlaces()
        places.areas.state.withLock {
            $0.faults = [RPCError(.internalError, "broken"), RPCError(.unimplemented, "older")]
        }
        try await PinWorld.with(places) { world in
            let pin = try await world.create(Self.request)
            for count in 1...2 {
                try await places.areas.asked.wait(for: count)
                try await world.untilNoneRuns(Work.hold)
                #expect(places.areas.state.withLock { $0.held.isEmpty })
                world.pass(milliseconds: 60_000)
            }
            try await world.untilIdle()
            #expect(places.areas.state.withLock { $0.held[pin.id]?.count } == 1)
        }
    }
}
