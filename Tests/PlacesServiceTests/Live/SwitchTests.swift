import PlaceContracts
import EventLoops
import HTTP
import HTTPClient
import LiveNetworks
import Networks
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P14 P45 Switching networks of places", .timeLimit(.minutes(2)))
struct SwitchTests {
    /// What an administrator switches.
    private static func turn(
        _ network: String = "openstreetmap", on isOn: Bool, contact: String = "", at service: TestService
    ) async throws -> NetworkInfo {
        let identity = ProvenIdentity(account: "ann", roles: .ofAccounts, expiresUnixMs: .max)
        let request = SwitchNetworkRequest(network: network, on: isOn, contact: contact)
        // As the stub does.
        try request.check()
        let answer = try await service.handler.switchNetwork(
            request, CallContext(method: PlacesServiceMethods.switchNetwork, identity: identity))
        return try #require(answer.network)
    }

    /// What an account with some roles sees of the networks.
    private static func shown(_ roles: Roles, at service: TestService) async throws -> [NetworkInfo] {
        let identity = ProvenIdentity(account: "bob", roles: roles, expiresUnixMs: .max)
        let context = CallContext(method: PlacesServiceMethods.listNetworks, identity: identity)
        return try await service.handler.listNetworks(ListNetworksRequest(), context).networks
    }

    private static func network(_ url: String, rules: NetworkRules = .free, isOn: Bool = false) -> LiveNetwork {
        LiveNetwork(provider: OverpassProvider(url: url), rules: rules, isOn: isOn)
    }

    @Test("one that needs no key is off until it is switched on, and stays on after a restart")
    func on() async throws {
        let (city, folder) = (try FixtureCity(3), TemporaryFolder())
        try await HTTPFixture.with {
            city.overpass($0)
        } _: { fixture, url in
            try await TestService.run(in: folder, live: [Self.network(url)], contact: "") { service in
                let before = try await service.client.listNetworks(ListNetworksRequest(), TestService.soon).networks
                #expect(before[1].available && !before[1].on && before[1].needsContact && before[1].switchedBy.isEmpty)
                let request = DiscoverRequest(
                    centre: BaseContracts.Coordinate(FixtureCity.centre), networks: ["openstreetmap"])
                let refused = try await service.client.discover(request, TestService.soon).results
                #expect(refused.map(\.status) == [.disabled] && refused[0].message == "it is switched off")
                #expect(fixture.requests.isEmpty)
                let after = try await Self.turn(on: true, contact: "me@example.org", at: service)
                #expect(after.on && !after.needsContact && after.switchedBy == "ann" && after.switchedTime != nil)
                #expect(after.sends.contains("squares of the map"))
                #expect(try await Self.shown(.user, at: service).allSatisfy { $0.switchedBy.isEmpty })
                #expect(try await Self.shown(.ofAccounts, at: service).map(\.switchedBy).contains("ann"))
                #expect(try await service.discover().placeCount == 3)
                #expect(
                    Set(fixture.requests.map { $0.headers["user-agent"] }) == ["Waymark (self-hosted; me@example.org)"])
            }
            try await TestService.run(in: folder, live: [Self.network(url)], contact: "") { service in
                #expect(try await service.discover(isForced: true).status == .ok)
                #expect(fixture.requests.last?.headers["user-agent"] == "Waymark (self-hosted; me@example.org)")
                // The contact is known by now.
                for isOn in [false, true] {
                    let info = try await Self.turn(on: isOn, at: service)
                    #expect(info.on == isOn)
                }
            }
        }
    }

    @Test("one that a setting switches on stays off when an administrator has said so, also after a restart")
    func off() async throws {
        let (city, folder) = (try FixtureCity(3), TemporaryFolder())
        try await HTTPFixture.with {
            city.overpass($0)
        } _: { fixture, url in
            for isFirst in [true, false] {
                try await TestService.run(in: folder, live: [Self.network(url, isOn: true)]) { service in
                    if isFirst { _ = try await Self.turn(on: false, at: service) }
                    let request = DiscoverRequest(centre: BaseContracts.Coordinate(FixtureCity.centre))
                    #expect(try await service.client.discover(request, TestService.soon).results.isEmpty)
                }
            }
            #expect(fixture.requests.isEmpty)
        }
    }

    @Test("switched off during a search, it ends at once, and its callers learn why")
    func running() async throws {
        let (city, gate) = (try FixtureCity(3), Gate())
        try await HTTPFixture.with { request in
            await gate.pass()
            return city.overpass(request)
        } _: { fixture, url in
            try await TestService.run(live: [Self.network(url, isOn: true)]) { service in
                async let first = service.discover()
                while fixture.requests.isEmpty { await fixture.bell.wait(after: 0) }
                // For the cells that the first one is asking for, or just after the switch.
                async let second = service.discover(networks: ["openstreetmap"])
                _ = try await Self.turn(on: false, at: service)
                let results = try await [first, second]
                #expect(results.map(\.status) == [.disabled, .disabled])
                #expect(results.allSatisfy { $0.message == "it is switched off" })
                #expect(fixture.requests.count == 1)
                gate.open()
                _ = try await Self.turn(on: true, at: service)
                #expect(try await service.discover().placeCount == 3)
            }
        }
    }

    @Test("a budget that is used up is told with its end, and switching does not renew it")
    func budget() async throws {
        let (city, clock) = (try FixtureCity(0), ManualClock())
        var rules = NetworkRules.free
        rules.perDay = 2
        try await HTTPFixture.with {
            city.overpass($0)
        } _: { [rules] fixture, url in
            let network = Self.network(url, rules: rules, isOn: true)
            try await TestService.run(live: [network], clock: clock.clock) { service in
                for latitude in [1.0, 2] { _ = try await service.discover(Shapes.point(latitude, 0)) }
                _ = try await Self.turn(on: false, at: service)
                let info = try await Self.turn(on: true, at: service)
                #expect(info.requestsToday == 2 && info.dailyLimit == 2)
                #expect(info.pauseReason == "today's 2 requests are used up")
                let day: Int64 = 86_400_000
                #expect(info.pausedUntil?.unixMilliseconds == (clock.now / day + 1) * day)
                #expect(try await service.discover(Shapes.point(3, 0)).status == .quota)
                #expect(fixture.requests.count == 2)
                clock.move(by: day)
                let later = try await service.client.listNetworks(ListNetworksRequest(), TestService.soon).networks
                #expect(later[1].requestsToday == 0 && later[1].pausedUntil == nil)
            }
        }
    }

    @Test("another replica sees a switch by a notice, and gives up what it is asking")
    func replicas() async throws {
        let (city, gate) = (try FixtureCity(3), Gate())
        try await HTTPFixture.with { request in
            await gate.pass()
            return city.overpass(request)
        } _: { fixture, url in
            let live = Self.network(url, isOn: true)
            try await TestService.run(live: [live]) { service in
                let (loops, blocking) = (try EventLoopGroup(count: 1), BlockingPool(threadCount: 1))
                let other = Discovery(
                    [live], contact: "tester@example.org", store: service.store, places: service.index,
                    client: HTTPClient(loop: loops.loops[0], agent: "Waymark (test)"), blocking: blocking)
                let following = Task { await other.switches.run() }
                async let finding = other.find(
                    .openstreetmap, AreaQuestion(account: "ann", around: FixtureCity.centre, radiusMetres: 500),
                    until: .now + .seconds(100))
                while fixture.requests.isEmpty { await fixture.bell.wait(after: 0) }
                _ = try await Self.turn(on: false, at: service)
                #expect(await finding.status == .disabled)
                #expect(other.active.isEmpty)
                gate.open()
                following.cancel()
                await following.value
                await other.stop()
                loops.shutDown()
                blocking.close()
            }
        }
    }

    @Test("who watches the networks learns at once which are on, and each change")
    func watch() async throws {
        let networks = [
            Self.network("http://127.0.0.1:1"), .init(provider: LiveKind.foursquare.provider(""), rules: .free),
        ]
        try await TestService.run(live: networks) { service in
            var seen: [[String]] = []
            for try await answer in service.client.watchNetworks(WatchNetworksRequest(), TestService.soon) {
                seen.append(answer.networks)
                if seen.count == 1 { _ = try await Self.turn(on: true, at: service) }
                if seen.count == 2 { _ = try await Self.turn("foursquare", on: false, at: service) }
                if seen.count == 3 { break }
            }
            #expect(seen == [["foursquare"], ["openstreetmap", "foursquare"], ["openstreetmap"]])
        }
    }

    @Test(
        "what can't be switched is refused with the field, the value and what is allowed",
        arguments: [
            ("", "", RPCCode.invalidArgument, "network: \"\" is not allowed"),
            ("catalog", "", .invalidArgument, "openstreetmap, foursquare, instagram, streetmap are"),
            ("instagram", "a@b.org", .failedPrecondition, "network: instagram is not available; places-service --ins"),
            ("openstreetmap", "", .failedPrecondition, "contact: it is missing"),
            ("openstreetmap", "a\nb", .invalidArgument, "contact: \"a\nb\" is not allowed"),
            ("openstreetmap", "Åsa", .invalidArgument, "contact: \"Åsa\" is not allowed"),
        ])
    func refused(network: String, contact: String, code: RPCCode, words: String) async throws {
        try await TestService.run(live: [Self.network("http://127.0.0.1:1")], contact: "") { service in
            let error = try await errorOf {
                try await Self.turn(network, on: true, contact: contact, at: service)
            }
            #expect(error?.code == code)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
}
