import PlaceContracts
import EventLoops
import Geo
import HTTP
import HTTPClient
import LiveNetworks
import Daemon
import Networks
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PlacesService

@Suite("P14 Live networks that fail", .timeLimit(.minutes(2)))
struct FaultTests {
    @Test("each way to fail has its result, and never counts as known", arguments: NetworkFault.all)
    func results(fault: NetworkFault) async throws {
        let (city, clock) = (try FixtureCity(15), ManualClock())
        let isBroken = Mutex(true)
        try await TestService.live(
            fault.kind, clock: clock.clock,
            answer: { isBroken.withLock { $0 } ? fault.response : fault.kind.answer(city, $0) }
        ) { service, fixture in
            let result = try await service.discover()
            #expect(result.status == fault.status && result.retryAfterMs == fault.retryAfterMs)
            #expect(!result.message.isEmpty)
            #expect(result.placeCount == 0)
            isBroken.withLock { $0 = false }
            clock.move(by: 3_600_000)
            let next = try await service.discover()
            #expect(next.status == .ok)
            #expect(next.placeCount == UInt32(city.count(1_000)))
            #expect(fixture.requests.count == 2)
        }
    }

    @Test("an answer that says that it is the last one for now counts, and nothing is asked for until there are more")
    func nothingRemains() async throws {
        let (city, clock) = (try FixtureCity(15), ManualClock())
        try await TestService.live(
            .instagram, clock: clock.clock,
            answer: { request in
                var response = city.instagram(request)
                response.headers.add("X-Ratelimit-Remaining", "0")
                return response
            }
        ) { service, fixture in
            let first = try await service.discover()
            #expect(first.status == .ok && first.placeCount == UInt32(city.count(1_000)))
            let next = try await service.discover(Shapes.point(10, 10))
            #expect(next.status == .quota && next.retryAfterMs == 60_000)
            #expect(fixture.requests.count == 1)
            clock.move(by: 60_000)
            #expect(try await service.discover(Shapes.point(10, 10)).status == .empty)
        }
    }

    @Test("what a server gave before it failed is kept, and only the rest is asked for again")
    func partly() async throws {
        let (city, clock) = (try FixtureCity(400, reachMetres: 600), ManualClock())
        let count = Mutex(0)
        try await TestService.live(
            .foursquareV2, clock: clock.clock,
            answer: { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 12 ? HTTPResponse(503, text: "oops") : city.foursquareV2(request)
            }
        ) { service, fixture in
            let first = try await service.discover()
            #expect(first.status == .unavailable)
            #expect((1..<400).contains(first.placeCount))
            let second = try await service.discover()
            #expect(second.status == .ok)
            #expect(second.placeCount == 400)
            clock.move(by: 1)
            let whole = try await service.discover(isForced: true).requestCount
            #expect(second.requestCount < whole)
        }
    }

    @Test("Retry-After is honoured: nothing is asked before, and the caller is told")
    func retryAfter() async throws {
        let (city, clock) = (try FixtureCity(20), ManualClock())
        let isBusy = Mutex(true)
        try await TestService.live(
            .openstreetmap, clock: clock.clock,
            answer: { request in
                isBusy.withLock { $0 }
                    ? HTTPResponse(429, headers: [("Retry-After", "30")]) : city.overpass(request)
            }
        ) { service, fixture in
            #expect(try await service.discover().retryAfterMs == 30_000)
            isBusy.withLock { $0 = false }
            clock.move(by: 29_000)
            let early = try await service.discover()
            #expect(early.status == .quota)
            #expect(early.retryAfterMs == 1_000)
            #expect(fixture.requests.count == 1)
            clock.move(by: 1_000)
            #expect(try await service.discover().status == .ok)
        }
    }

    @Test("Retry-After holds though requests from before it are answered")
    func retryAfterOfOthers() async throws {
        let (city, clock, gates) = (try FixtureCity(20), ManualClock(), [Gate(), Gate()])
        let count = Mutex(0)
        try await TestService.live(
            .openstreetmap, clock: clock.clock,
            answer: { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number <= gates.count { await gates[number - 1].pass() }
                return number == 1 ? HTTPResponse(429, headers: [("Retry-After", "60")]) : city.overpass(request)
            }
        ) { service, fixture in
            async let refused = service.discover()
            #expect(await eventually { fixture.requests.count == 1 })
            async let answered = service.discover(Shapes.point(10, 10))
            #expect(await eventually { fixture.requests.count == 2 })
            gates[0].open()
            let first = try await refused
            gates[1].open()
            let second = try await answered
            #expect(first.status == .quota && second.status == .empty)
            #expect(try await service.discover(Shapes.point(20, 20)).retryAfterMs == 60_000)
            #expect(fixture.requests.count == 2)
        }
    }

    @Test("a request that waits for its turn does not go when the network asks for a pause meanwhile")
    func pauseBeforeTurn() async throws {
        try await TestService.run { service in
            let (store, clock) = (service.store, ManualClock())
            let rules = NetworkRules(perSecond: 0.5, burst: 1, perDay: 10)
            #expect(try await store.ledger.turn("x", rules, clock.clock) == .success(0))
            async let second = store.ledger.turn("x", rules, clock.clock)
            while try await store.database.read(
                .snapshot,
                { transaction throws(SQLError) in
                    try transaction.standing("x").dayCount
                }) < 2
            {}
            try await store.database.write { transaction throws(SQLError) in
                var standing = try transaction.standing("x")
                standing.failed(AskFailure(.quota, "slow down", retryAfterMilliseconds: 60_000), at: clock.now)
                try transaction.putStanding(standing, of: "x")
            }
            guard case .failure(let failure) = try await second else {
                Issue.record("it went")
                return
            }
            #expect(failure.kind == .quota && failure.retryAfterMilliseconds == 60_000)
        }
    }

    @Test("a server that fails five times is left alone, and tried again later")
    func breaker() async throws {
        let clock = ManualClock()
        try await TestService.live(.openstreetmap, clock: clock.clock, answer: { _ in HTTPResponse(500) }) {
            service, fixture in
            for _ in 1...8 { #expect(try await service.discover().status == .unavailable) }
            #expect(fixture.requests.count == 5)
            clock.move(by: 30_000)
            _ = try await service.discover()
            #expect(fixture.requests.count == 6)
            let discovery = service.handler.discovery
            #expect(discovery.sent(to: .openstreetmap, .unavailable) == 6)
            #expect(discovery.sent(to: .openstreetmap, nil) == 0)
            let names = discovery.families.map(\.name)
            #expect(names.contains("waymark_live_requests_total") && names.contains("waymark_live_searches"))
        }
    }

    @Test("a server that does not answer, or is not there, costs its own result alone")
    func silent() async throws {
        let city = try FixtureCity(20)
        let (closed, silent) = (try ClosedPort(), try RawListener())
        try await HTTPFixture.with {
            city.foursquare($0, pages: true)
        } _: { _, url in
            var slow = SlowProvider(inner: OverpassProvider(url: "http://127.0.0.1:\(silent.port)"))
            slow.timeout = .milliseconds(100)
            let live: [any PlaceProvider] = [
                slow, FoursquareProvider(url: url, key: "secret"),
                InstagramProvider(url: "http://127.0.0.1:\(closed.port)", token: "x"),
            ]
            try await TestService.run(live: live.map { LiveNetwork(provider: $0, rules: .free) }) { service in
                let centre = FixtureCity.centre
                let results = try await service.client.discover(
                    DiscoverRequest(
                        centre: BaseContracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude)),
                    TestService.soon
                ).results
                #expect(results.map(\.status) == [.timeout, .ok, .unavailable])
                #expect(results[1].placeCount == UInt32(city.count(1_000)))
            }
        }
    }

    @Test("rates, budgets and breakers hold over all replicas together, which share one store")
    func replicas() async throws {
        let city = try FixtureCity(1)
        var rules = NetworkRules.free
        rules.perDay = 3
        try await HTTPFixture.with {
            city.overpass($0)
        } _: { [rules] fixture, url in
            let live = LiveNetwork(provider: OverpassProvider(url: url), rules: rules)
            try await TestService.run { service in
                let loops = try EventLoopGroup(count: 1)
                let blocking = BlockingPool(threadCount: 1)
                let replicas = (1...2).map { _ in
                    Discovery(
                        [live], contact: "tester@example.org", store: service.store, places: service.index,
                        client: HTTPClient(loop: loops.loops[0], agent: "Waymark (test)"), blocking: blocking)
                }
                var statuses: [NetworkFinding.Status] = []
                for number in 0..<6 {
                    let finding = await replicas[number % 2].find(
                        .openstreetmap,
                        AreaQuestion(account: "ann", around: Shapes.point(Double(number), 0), radiusMetres: 100),
                        until: .now + .seconds(30))
                    statuses.append(finding.status)
                }
                #expect(statuses == [.empty, .empty, .empty, .failed(.quota), .failed(.quota), .failed(.quota)])
                #expect(fixture.requests.count == 3)
                for replica in replicas { await replica.stop() }
                loops.shutDown()
                blocking.close()
            }
        }
    }

    @Test("no more requests wait for an answer at once than are allowed")
    func atOnce() async throws {
        let (city, gate) = (try FixtureCity(5), Gate())
        let waiting = Mutex((now: 0, most: 0))
        var rules = NetworkRules.free
        rules.atOnce = 2
        try await TestService.live(
            .openstreetmap, rules: rules,
            answer: { request in
                waiting.withLock { waiting in
                    waiting.now += 1
                    waiting.most = max(waiting.most, waiting.now)
                }
                await gate.pass()
                waiting.withLock { $0.now -= 1 }
                return city.overpass(request)
            }
        ) { service, fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let result = try await service.discover(Shapes.point(Double(number), 0))
                        #expect(result.status == .empty)
                    }
                }
                #expect(await eventually { waiting.withLock { $0.now } == 2 })
                gate.open()
                try await group.waitForAll()
            }
            #expect(waiting.withLock { $0.most } == 2)
            #expect(fixture.requests.count == 6)
        }
    }

    @Test("requests say who sends them")
    func agent() async throws {
        let city = try FixtureCity(1)
        try await TestService.live(.openstreetmap, answer: { city.overpass($0) }) { service, fixture in
            _ = try await service.discover()
            #expect(fixture.requests.first?.headers["user-agent"] == "Waymark (self-hosted; tester@example.org)")
        }
    }
}

/// A provider whose requests wait less.
private struct SlowProvider: PlaceProvider {
    let inner: OverpassProvider
    var timeout: Duration = .seconds(1)

    var network: Network { inner.network }
    var about: ProviderAbout { inner.about }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        var request = inner.request(patch, cursor: cursor)
        request.timeout = timeout
        return request
    }

    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<ProviderPage, AskFailure> {
        inner.answer(response, at: unixMilliseconds)
    }
}
