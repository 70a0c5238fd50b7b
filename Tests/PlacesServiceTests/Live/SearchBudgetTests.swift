import PlaceContracts
import Daemon
import EventLoops
import Geo
import HTTP
import HTTPClient
import LiveNetworks
import Networks
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PlacesService

/// A city of 125 venues in a square kilometre, asked as pins of 1 and 20 km ask.
@Suite("P68 One budget for a search", .timeLimit(.minutes(2)))
struct SearchBudgetTests {
    private static let west = FixtureCity.centre
    private static let east = Shapes.point(60.17, 26.94)
    /// As many as a pin links of a network whose venues cost a request each.
    private static let nearest: UInt32 = 50

    private static var rules: NetworkRules {
        var rules = NetworkRules.free
        rules.perSearch = NetworkRules(perSecond: 1, perDay: 1).perSearch
        return rules
    }

    private static var oneAtATime: NetworkRules {
        var rules = rules
        rules.atOnce = 1
        return rules
    }

    private static func cities() throws -> FixtureCity {
        FixtureCity(
            try FixtureCity(8_000, around: west, reachMetres: 4_000),
            try FixtureCity(2_000, around: east, reachMetres: 2_000, seed: 2, numberedFrom: 10_001))
    }

    /// The distances of the places of a network that are stored around a point, the nearest first.
    private static func found(
        _ kind: LiveKind, around centre: Geo.Coordinate, radius: Double, _ service: TestService
    ) async throws -> [Double] {
        let request = NearbyRequest(
            centre: BaseContracts.Coordinate(centre), radiusM: radius, limit: nearest, networks: [kind.network.name])
        return try await service.client.nearby(request, TestService.soon).places.compactMap(\.distanceM)
    }

    /// Asks for both at once: the large one, which wants everything, is under way when the small one comes, and both
    /// are when their network begins to answer.
    private static func largeAndSmall(
        _ service: TestService, _ fixture: HTTPFixture, _ gate: Gate
    ) async throws -> [NetworkResult] {
        async let large = service.discover(west, radius: 20_000)
        let isAsked = await eventually { fixture.requests.count == 1 }
        async let small = service.discover(east, radius: 1_000, nearest: nearest)
        let discovery = service.handler.discovery
        let areUnderWay = await eventually {
            let searches = discovery.families.first { $0.name == "waymark_live_searches" }
            guard case .count(let count)? = searches?.samples.first?.value else { return false }
            return count == 2
        }
        #expect(isAsked && areUnderWay)
        gate.open()
        return try await [large, small]
    }

    @Test(
        "two pins of 1 and 20 km at once get their nearest 50, in no more requests than a search may send",
        arguments: LiveKind.allCases)
    func bounded(kind: LiveKind) async throws {
        let city = try Self.cities()
        try await TestService.live(kind, rules: Self.rules, answer: { kind.answer(city, $0) }) { service, fixture in
            let pins = [(Self.west, 20_000.0), (Self.east, 1_000.0)]
            for _ in 1...3 {
                async let large = service.discover(pins[0].0, radius: pins[0].1, nearest: Self.nearest)
                async let small = service.discover(pins[1].0, radius: pins[1].1, nearest: Self.nearest)
                let results = try await [large, small]
                // An old network is asked for 5 km at most, and says so.
                let warned = kind == .instagram ? 1 : 0
                #expect(results.count { !$0.message.isEmpty } == warned, "\(results)")
                #expect(results.allSatisfy { [.ok, .truncated].contains($0.status) }, "\(results)")
                #expect(results.allSatisfy { $0.requestCount <= Self.rules.perSearch })
            }
            #expect(fixture.requests.count <= 2 * Self.rules.perSearch, "\(fixture.requests.count)")
            for (centre, radius) in pins {
                let expected = city.nearest(Int(Self.nearest), to: centre, within: radius)
                let distances = try await Self.found(kind, around: centre, radius: radius, service)
                #expect(distances.count == expected.count)
                #expect(zip(distances, expected).allSatisfy { abs($0 - $1) < 0.1 })
            }
        }
    }

    @Test("a small pin's requests go between those of a large one, which is under way when it has ended")
    func turns() async throws {
        let city = try Self.cities()
        let gate = Gate()
        let order = Mutex<[Bool]>([])
        let rules = Self.oneAtATime
        let answer: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            let isSmall = request.query["ll"]?.contains(",26.") ?? false
            order.withLock { $0.append(isSmall) }
            await gate.pass()
            return city.foursquareV2(request)
        }
        var results: [NetworkResult] = []
        try await TestService.live(.foursquareV2, rules: rules, answer: answer) { service, fixture in
            results = try await Self.largeAndSmall(service, fixture, gate)
        }
        #expect(results.map(\.status) == [.truncated, .truncated])
        #expect(results.first.map { Int($0.requestCount) } == rules.perSearch)
        let sent = order.withLock { $0 }
        let last = try #require(sent.lastIndex(of: true))
        let lastOfLarge = try #require(sent.lastIndex(of: false))
        #expect(last < lastOfLarge)
    }

    @Test("replicas share the budget of a search, and a restart finds what is left of it")
    func replicas() async throws {
        let city = try Self.cities()
        var rules = Self.rules
        rules.perSearch = 10
        try await HTTPFixture.with {
            city.foursquareV2($0)
        } _: { [rules] fixture, url in
            let live = LiveNetwork(provider: LiveKind.foursquareV2.provider(url), rules: rules)
            try await TestService.run { service in
                let (loops, blocking) = (try EventLoopGroup(count: 1), BlockingPool(threadCount: 1))
                let question = AreaQuestion(account: "ann", around: Self.west, radiusMetres: 5_000)
                for _ in 1...3 {
                    let replica = Discovery(
                        [live], contact: "tester@example.org", store: service.store, places: service.index,
                        client: HTTPClient(loop: loops.loops[0], agent: "Waymark (test)"), blocking: blocking)
                    let finding = await replica.find(.foursquare, question, until: .now + .seconds(30))
                    #expect(finding.status == .truncated && finding.count > 0)
                    await replica.stop()
                }
                #expect(fixture.requests.count == rules.perSearch)
                loops.shutDown()
                blocking.close()
            }
        }
    }

    @Test("the wishes of one account leave a part of the day for the others, and it is told so")
    func fair() async throws {
        let city = try FixtureCity(1)
        var rules = Self.rules
        rules.perDay = 20
        try await TestService.live(.openstreetmap, rules: rules, answer: { city.overpass($0) }) { service, fixture in
            let discovery = service.handler.discovery
            func ask(_ account: String, _ number: Int) async -> NetworkFinding {
                let question = AreaQuestion(
                    account: account, around: Shapes.point(Double(number), 10), radiusMetres: 100)
                return await discovery.find(.openstreetmap, question, until: .now + .seconds(30))
            }
            #expect(await ask("bo", 0).status == .empty)
            var refused: NetworkFinding?
            for number in 1...20 where refused == nil {
                let finding = await ask("ann", number)
                if finding.status != .empty { refused = finding }
            }
            #expect(refused?.status == .failed(.quota))
            #expect(refused?.message.contains("kept for other accounts until midnight UTC") == true)
            #expect(fixture.requests.count == 15)
            #expect(await ask("bo", 21).status == .empty)
        }
    }
}
