import Accounts
import PinContracts
import Storage
import Synchronization
import TestSupport
import Testing

@testable import PinService

@Suite("P52 what a deleted account had is erased", .timeLimit(.minutes(3)))
struct EraseTests {
    @Test("up to its deletion: what the profile of open mode drops after that stays, however late the job comes")
    func upToDeletion() async throws {
        let places = ScriptedPlaces()
        try await PinWorld.with(places) { world in
            let position = BaseContracts.Coordinate(latitude: 1, longitude: 1)
            let before = try await world.create(CreatePinRequest(position: position), account: "local")
            let deletion = world.clock.now
            world.clock.move(by: 1)
            let after = try await world.create(CreatePinRequest(position: position), account: "local")
            let other = try await world.create(CreatePinRequest(position: position), account: "ann")
            let now = world.clock.now
            try await world.store.database.write { transaction throws(SQLError) in
                try transaction.enqueue(AccountErasure.job, AccountErasure.key("local", upTo: deletion), at: now)
            }
            while try await world.store.database.read(
                .snapshot,
                { transaction throws(SQLError) in
                    try transaction.jobCount(AccountErasure.job) + transaction.jobCount(Work.forgetAccount)
                }) > 0
            { await Task.yield() }
            let listed = try await world.service.pins.listPins(ListPinsRequest(), world.service.of("local")).pins
            #expect(listed.map(\.id) == [after.id] && listed.map(\.id) != [before.id])
            #expect(try await world.pin(other.id).id == other.id)
            #expect(places.areas.state.withLock { $0.forgotten } == ["local"])
        }
    }
}
