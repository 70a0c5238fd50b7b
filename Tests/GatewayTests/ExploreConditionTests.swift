import Contracts
import Testing
import Wire

@testable import Gateway

@Suite("P61 Exploring what is open")
struct ExploreConditionTests {
    @Test("places are asked for by their hours, and what has none is not")
    func open() throws {
        let condition = OpenAt(time: TimestampMessage(unixSeconds: 1_795_696_200), state: .closed, orUnknown: true)
        let query = try ExploreQuery(
            ExploreRequest(centre: Coordinate(latitude: 60.17, longitude: 24.94), openAt: condition))
        #expect(try NearbyRequest(packed: query.request(of: .places)).openAt == condition)
        #expect(try PinsNearRequest(packed: query.request(of: .pins)).centre == query.centreMessage)
    }
}
