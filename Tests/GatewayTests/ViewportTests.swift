import Contracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("P53 Viewport", .timeLimit(.minutes(3)))
struct ViewportTests {
    private static let box = Box(
        southWest: Coordinate(latitude: 60.1, longitude: 24.8), northEast: Coordinate(latitude: 60.2, longitude: 25))
    private static let budget = DurationMessage(seconds: 10)

    @Test("has the clusters of all services, as they gave them, with how each went")
    func whole() async throws {
        let asked = Mutex<[String: FindClustersRequest]>([:])
        var backends = FakeBackends()
        let answers = backends.clusters
        backends.clusters = { name, request in
            asked.withLock { $0[name] = request }
            return try await answers(name, request)
        }
        try await RunningGateway.with(backends) { gateway in
            let request = ViewportRequest(
                box: Self.box, zoom: 12, max: 100, categories: ["amenity"], excludedCategories: ["amenity/bar"],
                budget: Self.budget)
            let answer = try await gateway.explore.viewport(request)
            #expect(answer.places == [Cluster(count: 2, mark: Mark(id: "places"))])
            #expect(answer.pins == [Cluster(count: 2, mark: Mark(id: "pins"))])
            #expect(answer.photos == [Cluster(count: 2, mark: Mark(id: "photos"))])
            #expect(answer.branches.map(\.name) == ["places", "pins", "photos"])
            #expect(answer.branches.map(\.code) == [0, 0, 0])
            #expect(answer.branches.map(\.count) == [2, 2, 2])
            #expect(answer.elapsed != nil)
            let expected = FindClustersRequest(
                box: Self.box, zoom: 12, max: 100, categories: ["amenity"], excludedCategories: ["amenity/bar"])
            #expect(asked.withLock { $0 } == ["places": expected, "pins": expected, "photos": expected])
        }
    }

    @Test("a service that is away or fails costs its part alone")
    func partial() async throws {
        var backends = FakeBackends()
        let answers = backends.clusters
        backends.clusters = { name, request in
            if name == "pins" { throw RPCError(.dataLoss, "the pins are damaged") }
            return try await answers(name, request)
        }
        try await RunningGateway.with(backends, closed: ["photos"]) { gateway in
            let answer = try await gateway.explore.viewport(ViewportRequest(box: Self.box, budget: Self.budget))
            #expect(answer.places.count == 1)
            #expect(answer.pins.isEmpty && answer.photos.isEmpty)
            let codes = answer.branches.map { RPCCode(wire: $0.code) }
            #expect(codes == [.ok, .dataLoss, .unavailable])
            #expect(answer.branches[1].message == "the pins are damaged")
        }
    }

    @Test("only the branches that are asked for are asked")
    func some() async throws {
        let asked = Mutex<[String]>([])
        var backends = FakeBackends()
        backends.clusters = { name, _ in
            asked.withLock { $0.append(name) }
            return FindClustersResponse()
        }
        try await RunningGateway.with(backends) { gateway in
            let request = ViewportRequest(box: Self.box, budget: Self.budget, branches: ["pins"])
            let answer = try await gateway.explore.viewport(request)
            #expect(answer.branches.map(\.name) == ["pins"])
            #expect(asked.withLock { $0 } == ["pins"])
        }
    }

    @Test("what is out of range is refused as a whole")
    func refused() async throws {
        let requests: [(ViewportRequest, String)] = [
            (ViewportRequest(), "box"), (ViewportRequest(box: Self.box, zoom: 23), "zoom"),
            (ViewportRequest(box: Self.box, max: 0), "max"),
            (ViewportRequest(box: Self.box, categories: [""]), "categories[0]"),
            (ViewportRequest(box: Self.box, branches: ["posts"]), "branches[0]"),
            (ViewportRequest(box: Self.box, budget: DurationMessage(seconds: 11)), "budget"),
        ]
        try await RunningGateway.with { gateway in
            for (request, field) in requests {
                let error = try await errorOf { try await gateway.explore.viewport(request) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(field) == true, "\(String(describing: error))")
            }
        }
    }
}
