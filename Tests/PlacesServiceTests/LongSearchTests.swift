import PlaceContracts
import EventLoops
import Geo
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P12 Long searches")
struct LongSearchTests {
    private static let count = 60_000

    /// Many places within some hundred metres, one of them with a name of its own.
    private static let table: String = {
        var numbers = SeededGenerator(seed: 8)
        return "id\tname\tlat\tlon\n"
            + (0..<count).map { index in
                let latitude = 1 + Double.random(in: 0...0.001, using: &numbers)
                return "\(index)\t\(index == 31_415 ? "Nadel" : "Heu \(index)")\t\(latitude)\t2\n"
            }.joined()
    }()

    @Test("leave the loop and find the same")
    func longSearch() async throws {
        try await TestService.run { service in
            try await service.load(Self.table)
            var request = NearbyRequest(
                centre: BaseContracts.Coordinate(latitude: 1, longitude: 2), nameText: "nad", includeCount: true)
            let needle = try await service.nearby(request)
            #expect(needle.places.map(\.id) == ["catalog/test/31415"])
            #expect(needle.count == 1 && !needle.truncated)
            request.nameText = "heu"
            request.limit = 1
            #expect(try await service.nearby(request).count == UInt64(Self.count - 1))
            request.nameText = "gras"
            let none = try await service.nearby(request)
            #expect(none.emptyReason == .filter && none.nearest != nil && none.count == 0)
        }
    }

    @Test("end when their deadline has passed, or nobody waits any more")
    func pace() async throws {
        let stop = StopFlag()
        let late = SearchPace.until(MonotonicTime(nanoseconds: 1), stop)
        #expect(throws: PlacesError.tooLate) { try late(1) }
        let running = SearchPace.until(.distantFuture, stop)
        try running(1)
        stop.set()
        #expect(throws: PlacesError.cancelled) { try running(1) }
        let onLoop = SearchPace.onLoop(byName: false)
        try onLoop(SearchPace.candidatesOnLoop - 1)
        #expect(throws: SearchPace.TakesLong.self) { try onLoop(SearchPace.candidatesOnLoop) }
        #expect(throws: SearchPace.TakesLong.self) { try SearchPace.onLoop(byName: true)(SearchPace.namesOnLoop) }
    }
}
