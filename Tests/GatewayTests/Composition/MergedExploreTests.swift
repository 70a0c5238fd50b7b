import Contracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P16 Explore lists each place once", .timeLimit(.minutes(3)))
struct MergedExploreTests {
    private static let centre = Coordinate(latitude: 60.17, longitude: 24.94)

    /// `count` things, nearest first, each of which two networks have.
    private static func places(_ count: Int) -> [Place] {
        (0..<count).flatMap { index in
            ["foursquare/\(index)", "openstreetmap/node/\(index)"].map { id in
                let position = Coordinate(latitude: 60.17 + Double(index) * 0.002, longitude: 24.94)
                return Place(id: id, name: "Cafe \(index)", position: position, distanceM: Double(index) * 222)
            }
        }
    }

    /// Answers as the places service does, a page at a time.
    private static func backends(_ places: [Place], asked: Requests) -> FakeBackends {
        FakeBackends(nearby: { request, _ in
            asked.requests.withLock { $0.append(request) }
            let start = Int(request.pageToken) ?? 0
            let end = min(start + Int(request.limit ?? 20), places.count)
            return NearbyResponse(
                places: Array(places[start..<end]), nextPageToken: end < places.count ? "\(end)" : "",
                truncated: end < places.count)
        })
    }

    private final class Requests: Sendable {
        let requests = Mutex<[NearbyRequest]>([])
    }

    private func explored(
        _ count: Int, limit: UInt32, _ body: (ExploreResponse, [NearbyRequest]) throws -> Void
    ) async throws {
        let asked = Requests()
        try await RunningGateway.with(Self.backends(Self.places(count), asked: asked)) { gateway in
            let request = ExploreRequest(
                centre: Self.centre, limit: limit, budget: DurationMessage(seconds: 10), branches: ["places"])
            let answer = try await gateway.explore.explore(request)
            try body(answer, asked.requests.withLock { $0 })
            // A stream has the same.
            var streamed: [Place] = []
            for try await part in gateway.explore.exploreStream(request) { streamed += part.additions?.places ?? [] }
            #expect(streamed == answer.places)
        }
    }

    @Test("with its sources, and the limit counts things")
    func limit() async throws {
        try await explored(30, limit: 20) { answer, asked in
            #expect(answer.places.map(\.id) == (0..<20).map { "openstreetmap/node/\($0)" })
            #expect(answer.places.map { $0.sources.map(\.id) } == (0..<20).map { ["foursquare/\($0)"] })
            #expect(answer.branches.map(\.count) == [20] && answer.branches.map(\.truncated) == [true])
            #expect(asked.count == 1 || asked.count == 2)
        }
    }

    @Test("and truncated says whether there are more things")
    func truncated() async throws {
        try await explored(20, limit: 20) { answer, _ in
            #expect(answer.places.count == 20 && answer.branches.map(\.truncated) == [false])
        }
        try await explored(21, limit: 20) { answer, _ in
            #expect(answer.places.count == 20 && answer.branches.map(\.truncated) == [true])
        }
    }

    @Test("up to the largest limit, for which the service is asked again")
    func largest() async throws {
        try await explored(250, limit: 200) { answer, asked in
            #expect(answer.places.count == 200 && answer.places.allSatisfy { $0.sources.count == 1 })
            #expect(asked.count == 3 && asked.allSatisfy { $0.limit == 200 })
        }
    }
}
