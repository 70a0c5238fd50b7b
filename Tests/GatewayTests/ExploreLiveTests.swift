import Contracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("P35 Live networks as branches of Explore", .timeLimit(.minutes(3)))
struct ExploreLiveTests {
    private static let centre = Coordinate(latitude: 60.17, longitude: 24.94)

    private static func place(_ id: String, _ name: String, _ metres: Double) -> Place {
        Place(
            id: id, name: name, categories: ["amenity/cafe"],
            position: Coordinate(latitude: 60.17 + metres / 111_000, longitude: 24.94), distanceM: metres)
    }

    private static let stored = [place("catalog/test/1", "Ekberg", 10), place("catalog/test/2", "Fazer", 300)]
    private static let found = [place("openstreetmap/9", "Ekberg", 12), place("openstreetmap/8", "Strindberg", 100)]

    /// What is stored is known at once, what the network has after it was asked.
    private static func backends(
        _ asked: @escaping @Sendable (DiscoverRequest) -> Void = { _ in }
    ) -> FakeBackends {
        var backends = FakeBackends()
        backends.discover = { (request: DiscoverRequest, _: CallContext) async throws -> DiscoverResponse in
            asked(request)
            return DiscoverResponse(results: [NetworkResult(network: request.networks[0], status: .ok)])
        }
        backends.nearby = { (request: NearbyRequest, _: CallContext) async throws -> NearbyResponse in
            NearbyResponse(places: request.networks == ["openstreetmap"] ? found : stored)
        }
        return backends
    }

    private static func request(_ networks: [String], radiusM: Double = 1_000) -> ExploreRequest {
        ExploreRequest(
            centre: centre, radiusM: radiusM, budget: DurationMessage(seconds: 10), liveNetworks: networks)
    }

    @Test("what a network has is among the places, nearest first, and what both have is one thing")
    func together() async throws {
        let asked = Mutex<[DiscoverRequest]>([])
        try await RunningGateway.with(Self.backends { request in asked.withLock { $0.append(request) } }) { gateway in
            let answer = try await gateway.explore.explore(Self.request(["openstreetmap"]))
            #expect(answer.places.map(\.id) == ["catalog/test/1", "openstreetmap/8", "catalog/test/2"])
            #expect(answer.places.first?.sources.map(\.id) == ["openstreetmap/9"])
            #expect(answer.branches.map(\.name) == ["places", "openstreetmap", "pins", "photos", "posts"])
            #expect(answer.branches[1].code == 0 && answer.branches[1].count == 2)
            let request = try #require(asked.withLock { $0 }.first)
            #expect(request.networks == ["openstreetmap"] && request.radiusM == 1_000)
        }
    }

    @Test("a network that refuses costs its part, and says why")
    func refused() async throws {
        var backends = Self.backends()
        backends.discover = { (request: DiscoverRequest, _: CallContext) async throws -> DiscoverResponse in
            let result = NetworkResult(network: request.networks[0], status: .quota, message: "used up until noon")
            return DiscoverResponse(results: [result])
        }
        try await RunningGateway.with(backends) { gateway in
            let answer = try await gateway.explore.explore(Self.request(["openstreetmap", "foursquare"]))
            #expect(answer.places.map(\.id) == Self.stored.map(\.id))
            for branch in answer.branches[1...2] {
                #expect(RPCCode(wire: branch.code) == .resourceExhausted && branch.message == "used up until noon")
            }
        }
    }

    @Test("of a stream, a network that is late brings what was not sent before")
    func late() async throws {
        let sent = Tally()
        var backends = Self.backends()
        backends.discover = { (request: DiscoverRequest, _: CallContext) async throws -> DiscoverResponse in
            try await sent.wait()
            return DiscoverResponse(results: [NetworkResult(network: request.networks[0], status: .ok)])
        }
        // A place that was stored meanwhile is there twice.
        backends.nearby = { (request: NearbyRequest, _: CallContext) async throws -> NearbyResponse in
            NearbyResponse(
                places: request.networks == ["openstreetmap"] ? Self.found : Self.stored + [Self.found[1]])
        }
        try await RunningGateway.with(backends) { gateway in
            var request = Self.request(["openstreetmap"])
            request.budget = DurationMessage(.milliseconds(1))
            var answers: [ExploreStreamResponse] = []
            for try await answer in gateway.explore.exploreStream(request) {
                answers.append(answer)
                if !answer.waiting.contains("places") { sent.add() }
            }
            let places = answers.map { $0.additions?.places.map(\.id) ?? [] }
            #expect(Set(places.joined()).count == places.joined().count, "each once: \(places)")
            #expect(Set(places.joined()).isSuperset(of: ["catalog/test/1", "catalog/test/2", "openstreetmap/8"]))
            #expect(answers.last?.additions?.branches.contains { $0.name == "openstreetmap" && $0.code == 0 } == true)
        }
    }

    @Test("unknown networks, and circles that no network is asked about, are refused")
    func invalid() async throws {
        try await RunningGateway.with(Self.backends()) { gateway in
            for (request, field) in [
                (Self.request(["places"]), "live_networks[0]"),
                (Self.request(["openstreetmap"], radiusM: 20_001), "radius_m"),
                (Self.request(Array(repeating: "openstreetmap", count: 11)), "live_networks"),
            ] {
                let error = try await errorOf { try await gateway.explore.explore(request) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(field) == true, "\(String(describing: error))")
            }
        }
    }
}
