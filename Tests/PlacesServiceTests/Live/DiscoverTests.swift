import PlaceContracts
import EventLoops
import Geo
import HTTP
import LiveNetworks
import Networks
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P14 Discovering places on live networks", .timeLimit(.minutes(2)))
struct DiscoverTests {
    @Test("all places within the radius are found and counted", arguments: LiveKind.allCases)
    func found(kind: LiveKind) async throws {
        let city = try FixtureCity(30)
        try await TestService.live(kind, answer: { kind.answer(city, $0) }) { service, _ in
            let result = try await service.discover()
            #expect(result.status == .ok)
            #expect(result.placeCount == UInt32(city.count(1_000)))
            #expect(result.network == kind.network.name)
            #expect(result.message.isEmpty)
        }
    }

    @Test("400 places within one radius are all found, though an answer holds 50 at most", arguments: LiveKind.allCases)
    func crowded(kind: LiveKind) async throws {
        let city = try FixtureCity(400, reachMetres: 600)
        try await TestService.live(
            kind, provider: { kind == .openstreetmap ? OverpassProvider(url: $0, limit: 50) : kind.provider($0) },
            answer: { kind.answer(city, $0) }
        ) { service, fixture in
            let result = try await service.discover()
            #expect(result.status == .ok)
            #expect(result.placeCount == 400)
            #expect(Int(result.requestCount) == fixture.requests.count)
        }
    }

    @Test("a network without a second page gives all 400 too, by smaller circles")
    func withoutPages() async throws {
        let city = try FixtureCity(400, reachMetres: 600)
        try await TestService.live(.foursquare, answer: { city.foursquare($0, pages: false) }) { service, _ in
            let result = try await service.discover()
            #expect(result.status == .ok)
            #expect(result.placeCount == 400)
        }
    }

    @Test("nothing there is a result of its own", arguments: LiveKind.allCases)
    func empty(kind: LiveKind) async throws {
        let city = try FixtureCity(0)
        try await TestService.live(kind, answer: { kind.answer(city, $0) }) { service, _ in
            let result = try await service.discover()
            #expect(result.status == .empty)
        }
    }

    @Test("more than the requests of one search can tell is TRUNCATED, however often the search is repeated")
    func truncated() async throws {
        let city = try FixtureCity(400, reachMetres: 600)
        var rules = NetworkRules.free
        rules.perSearch = 3
        try await TestService.live(.foursquareV2, rules: rules, answer: { city.foursquareV2($0) }) { service, fixture in
            let first = try await service.discover()
            #expect(first.status == .truncated)
            #expect(first.requestCount == 3)
            #expect((1..<400).contains(first.placeCount))
            #expect(try await service.discover().status == .truncated)
            #expect(fixture.requests.count == 3)
            // Who insists begins anew.
            #expect(try await service.discover(isForced: true).status == .truncated)
            #expect(fixture.requests.count == 6)
        }
    }

    @Test("places at one spot that no answer can hold make the answer TRUNCATED")
    func heap() async throws {
        let city = try FixtureCity(60, reachMetres: 0)
        try await TestService.live(.foursquareV2, answer: { city.foursquareV2($0) }) { service, fixture in
            let result = try await service.discover(radius: 20)
            #expect(result.status == .truncated)
            // Not because the requests of a search were used up, but because no part is smaller.
            #expect(fixture.requests.count < NetworkRules.free.perSearch)
        }
    }

    @Test("what is known is not asked for again until it expires; force asks nevertheless")
    func cached() async throws {
        let (city, clock) = (try FixtureCity(30), ManualClock())
        try await TestService.live(.openstreetmap, clock: clock.clock, answer: { city.overpass($0) }) {
            service, fixture in
            _ = try await service.discover()
            let again = try await service.discover()
            #expect(again.requestCount == 0)
            #expect(again.placeCount == UInt32(city.count(1_000)))
            #expect(try await service.discover(radius: 500).requestCount == 0)
            #expect(fixture.requests.count == 1)
            clock.move(by: 1)
            #expect(try await service.discover(isForced: true).requestCount == 1)
            clock.move(by: NetworkRules.free.expiryMilliseconds + 1)
            #expect(try await service.discover().requestCount == 1)
            #expect(fixture.requests.count == 3)
        }
    }

    @Test("a key that is limited to networks has no other one asked, named or not")
    func limited() async throws {
        let city = try FixtureCity(1)
        try await TestService.live(.openstreetmap, answer: { city.overpass($0) }) { service, fixture in
            let request = { (names: [String], limit: Set<String>) in
                let key = Credential.key("k1", isReadOnly: false, networks: limit)
                let identity = ProvenIdentity(account: "ann", roles: .user, expiresUnixMs: .max, credential: key)
                let centre = FixtureCity.centre
                return try await service.handler.discover(
                    DiscoverRequest(
                        centre: BaseContracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude),
                        radiusM: 100, networks: names),
                    CallContext(method: PlacesServiceMethods.discover, identity: identity))
            }
            #expect(try await request([], ["catalog", "commons"]).results.isEmpty)
            let error = try await errorOf { try await request(["openstreetmap"], ["catalog"]) }
            #expect(error?.code == .permissionDenied)
            #expect(fixture.requests.isEmpty)
            #expect(try await request([], ["openstreetmap"]).results.map(\.network) == ["openstreetmap"])
        }
    }

    @Test("what was found is there after a restart, and not asked for again")
    func restart() async throws {
        let city = try FixtureCity(30)
        try await HTTPFixture.with {
            city.overpass($0)
        } _: { fixture, url in
            let live = LiveNetwork(provider: OverpassProvider(url: url), rules: .free)
            let folder = TemporaryFolder()
            for _ in 1...2 {
                try await TestService.run(in: folder, live: [live]) { service in
                    let result = try await service.discover()
                    #expect(result.placeCount == UInt32(city.count(1_000)))
                }
            }
            #expect(fixture.requests.count == 1)
        }
    }

    @Test("the exact point leaves in no request", arguments: LiveKind.allCases)
    func privacy(kind: LiveKind) async throws {
        let city = try FixtureCity(5)
        try await TestService.live(kind, answer: { kind.answer(city, $0) }) { service, fixture in
            _ = try await service.discover(Shapes.point(60.1712345, 24.9498765))
            for request in fixture.requests {
                let text = request.query.all.map(\.value).joined(separator: " ") + FixtureCity.query(of: request)
                #expect(!text.contains("60.17123") && !text.contains("24.94987"))
            }
            // Somebody a little further on asks for the same cells.
            let neighbour = try await service.discover(Shapes.point(60.1712355, 24.9498755))
            #expect(neighbour.requestCount == 0)
        }
    }

    @Test("two searches of one area at the same time ask once")
    func singleFlight() async throws {
        let (city, gate) = (try FixtureCity(30), Gate())
        try await TestService.live(
            .openstreetmap,
            answer: { request in
                await gate.pass()
                return city.overpass(request)
            }
        ) { service, fixture in
            async let one = service.discover()
            async let two = service.discover()
            #expect(await eventually { fixture.requests.count == 1 })
            gate.open()
            let counts = try await (one.placeCount, two.placeCount)
            #expect(counts == (UInt32(city.count(1_000)), UInt32(city.count(1_000))))
            #expect(fixture.requests.count == 1)
        }
    }

    @Test("a search keeps its area however long it waits for others to be answered: a second one of it asks nothing")
    func singleFlightBehindOthers() async throws {
        let (city, clock, gates) = (try FixtureCity(30), ManualClock(), [Gate(), Gate()])
        let count = Mutex(0)
        var rules = NetworkRules.free
        rules.atOnce = 1
        try await TestService.live(
            .openstreetmap, rules: rules, clock: clock.clock,
            answer: { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number <= gates.count { await gates[number - 1].pass() }
                return city.overpass(request)
            }
        ) { service, fixture in
            func hasWritten(since count: Int) async -> Bool {
                await eventually { service.store.database.metrics.writes > count }
            }
            async let other = service.discover(Shapes.point(10, 10))
            #expect(await eventually { fixture.requests.count == 1 })
            let before = service.store.database.metrics.writes
            async let one = service.discover()
            #expect(await hasWritten(since: before))
            clock.move(by: AreaLease.milliseconds + 1)
            gates[0].open()
            _ = try await other
            #expect(await eventually { fixture.requests.count == 2 })
            let asked = service.store.database.metrics.writes
            async let two = service.discover(radius: 900)
            #expect(await hasWritten(since: asked))
            gates[1].open()
            let counts = try await (one.placeCount, two.placeCount)
            #expect(counts == (UInt32(city.count(1_000)), UInt32(city.count(900))))
            #expect(fixture.requests.count == 2)
        }
    }

    @Test("a clock that is set back between two pages of an answer costs no places")
    func clockSetBack() async throws {
        let (city, clock) = (try FixtureCity(60, reachMetres: 300), ManualClock())
        try await TestService.live(
            .foursquare, clock: clock.clock,
            answer: { request in
                clock.move(by: -1)
                return city.foursquare(request, pages: true)
            }
        ) { service, fixture in
            let result = try await service.discover()
            #expect(result.placeCount == 60)
            #expect(fixture.requests.count == 2)
        }
    }

    @Test("a caller that can't wait gets TIMEOUT; the work goes on and the next call finds it")
    func late() async throws {
        let (city, gate) = (try FixtureCity(30), Gate())
        try await TestService.live(
            .openstreetmap,
            answer: { request in
                await gate.pass()
                return city.overpass(request)
            }
        ) { service, fixture in
            let result = await service.handler.discovery.find(
                .openstreetmap,
                AreaQuestion(account: "", around: FixtureCity.centre, radiusMetres: 1_000),
                until: .now + .milliseconds(50))
            #expect(result.status == .failed(.timeout))
            #expect(result.message.contains("query still runs"))
            gate.open()
            let next = try await service.discover()
            #expect(next.status == .ok)
            #expect(fixture.requests.count == 1)
        }
    }

    @Test("the same id on two networks is two places, and each network is asked by itself")
    func twoNetworks() async throws {
        let city = try FixtureCity(10)
        try await HTTPFixture.with { request in
            request.path.hasPrefix("/v1") ? city.instagram(request) : city.foursquare(request, pages: true)
        } _: { _, url in
            let live: [LiveKind] = [.foursquare, .instagram]
            let networks = live.map { LiveNetwork(provider: $0.provider(url), rules: .free) }
            try await TestService.run(live: networks) { service in
                let centre = FixtureCity.centre
                let results = try await service.client.discover(
                    DiscoverRequest(
                        centre: BaseContracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude),
                        radiusM: 2_000), TestService.soon
                ).results
                #expect(results.map(\.network) == ["foursquare", "instagram"])
                #expect(results.map(\.placeCount) == [10, 10])
                let ids = try await service.store.database.read { transaction throws(SQLError) in
                    try transaction.rows("SELECT network, id FROM discovered_place WHERE id = '7'") {
                        row throws(SQLError) in "\(try row.text(0))/\(try row.text(1))"
                    }
                }
                #expect(Set(ids) == ["foursquare/7", "instagram/7"])
            }
        }
    }

    @Test("a place that is as it was keeps its version; one that changed gets a greater one")
    func versions() async throws {
        let clock = ManualClock()
        let name = Mutex("First")
        try await TestService.live(
            .openstreetmap, clock: clock.clock,
            answer: { _ in
                let name = name.withLock { $0 }
                let same = #"{"type":"node","id":1,"lat":60.17,"lon":24.94,"tags":{"name":"Same"}}"#
                let other = #"{"type":"node","id":2,"lat":60.17,"lon":24.94,"tags":{"name":"\#(name)"}}"#
                return .json(FixtureCity.overpass([same, other]))
            }
        ) { service, _ in
            func versions() async throws -> [Int64] {
                try await service.store.database.read { transaction throws(SQLError) in
                    try transaction.rows("SELECT version FROM discovered_place ORDER BY id") {
                        row throws(SQLError) in try row.integer(0)
                    }
                }
            }
            _ = try await service.discover()
            let before = try await versions()
            name.withLock { $0 = "Second" }
            clock.move(by: 1)
            _ = try await service.discover(isForced: true)
            let after = try await versions()
            #expect(after[0] == before[0])
            #expect(after[1] > before.max() ?? 0)
        }
    }

    @Test("what a network names no longer is removed when its cell is asked for again, with a version for readers")
    func removed() async throws {
        let (clock, isClosed) = (ManualClock(), Flag())
        try await TestService.live(
            .openstreetmap, clock: clock.clock,
            answer: { _ in
                let cafe = #"{"type":"node","id":1,"lat":60.17,"lon":24.94,"tags":{"name":"Cafe","amenity":"cafe"}}"#
                let park = #"{"type":"way","id":2,"center":{"lat":60.17,"lon":24.94},"tags":{"name":"Park"}}"#
                return .json(FixtureCity.overpass(isClosed.isSet ? [] : [cafe, park]))
            }
        ) { service, _ in
            #expect(try await service.discover().placeCount == 2)
            isClosed.set()
            clock.move(by: 1)
            // A way may lie in an area without touching it, so that no answer about it names the way.
            #expect(try await service.discover(isForced: true).placeCount == 1)
            let gone = try await service.store.database.read { transaction throws(SQLError) in
                try transaction.rows("SELECT id FROM discovered_place WHERE removed = TRUE AND version > 2") {
                    row throws(SQLError) in try row.text(0)
                }
            }
            #expect(gone == ["node/1"])
        }
    }

    @Test("the largest circle is one request, and its cells are known afterwards")
    func largest() async throws {
        let city = try FixtureCity(1_500, reachMetres: 15_000)
        try await TestService.live(.openstreetmap, answer: { city.overpass($0) }) { service, fixture in
            let result = try await service.discover(radius: 20_000)
            #expect(result.status == .ok)
            #expect(result.placeCount == UInt32(city.count(20_000)))
            #expect(try await service.discover(radius: 20_000).requestCount == 0)
            #expect(fixture.requests.count == 1)
        }
    }

    @Test("a network that is not configured is DISABLED and says so; no network is on by itself")
    func disabled() async throws {
        try await TestService.run { service in
            let centre = BaseContracts.Coordinate(latitude: 1, longitude: 2)
            let none = try await service.client.discover(DiscoverRequest(centre: centre), TestService.soon)
            #expect(none.results.isEmpty)
            let named = try await service.client.discover(
                DiscoverRequest(centre: centre, networks: ["instagram", "openstreetmap"]), TestService.soon)
            #expect(named.results.map(\.status) == [.disabled, .disabled])
            #expect(named.results[0].message == "the instagram network is not configured")
            let list = try await service.client.listNetworks(ListNetworksRequest(), TestService.soon).networks
            #expect(list.map(\.name) == ["catalog", "openstreetmap", "foursquare", "instagram", "streetmap"])
            #expect(list.map(\.on) == [true, false, false, false, false])
            #expect(list[1].message.contains("--openstreetmap-url"))
        }
    }

    @Test(
        "what can't be asked is refused with the field",
        arguments: [
            (DiscoverRequest(), "centre"),
            (DiscoverRequest(centre: .init(latitude: 91, longitude: 0)), "centre.latitude"),
            (DiscoverRequest(centre: .init(latitude: 0, longitude: 0), radiusM: 0.5), "radius_m"),
            (DiscoverRequest(centre: .init(latitude: 0, longitude: 0), radiusM: .nan), "radius_m"),
            (DiscoverRequest(centre: .init(latitude: 0, longitude: 0), radiusM: 20_001), "radius_m"),
            (DiscoverRequest(centre: .init(latitude: 0, longitude: 0), networks: ["catalog"]), "networks[0]"),
        ])
    func refused(request: DiscoverRequest, field: String) async throws {
        try await TestService.run { service in
            let error = try await service.refusal { try await $0.discover(request, TestService.soon) }
            #expect(error.code == .invalidArgument)
            #expect(error.details?.fieldViolations.map(\.field) == [field])
        }
    }
}
