import Arguments
import Settings
import PlaceContracts
import Daemon
import EventLoops
import Geo
import HTTP
import HTTPClient
import LiveNetworks
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P15 Another geocoder")
struct UpstreamTests {
    /// In the shape of Nominatim's jsonv2, with its numbers as texts and as numbers.
    private static let answer = """
        [{"place_id":1,"licence":"Data © OpenStreetMap contributors","osm_type":"node","osm_id":7,"lat":"51.5032802",
          "lon":-0.1276358,"category":"place","type":"house","addresstype":"place","name":"","display_name":
          "10, Downing Street, London, United Kingdom","address":{"house_number":"10","road":"Downing Street",
          "city":"London","state":"England","postcode":"SW1","country":"United Kingdom","country_code":"gb"},
          "boundingbox":["51.5032302","51.5033302","-0.1276858","-0.1275858"]},
         {"lat":"91","lon":"0","name":"nowhere on Earth"},{"lat":null},17]
        """

    /// Runs `body` with a service that asks a fixture, which gives this answer.
    private static func run(
        rules: NetworkRules = .free, clock: WallClock = .system, status: Int = 200, text: String = answer,
        _ body: @escaping (TestService, HTTPFixture) async throws -> Void
    ) async throws {
        try await HTTPFixture.with({ _ in HTTPResponse(status, text: text) }) { fixture, url in
            try await run(url: url, rules: rules, clock: clock) { service async throws in
                try await body(service, fixture)
            }
        }
    }

    private static func run(
        url: String, rules: NetworkRules = .free, clock: WallClock = .system,
        _ body: (TestService) async throws -> Void
    ) async throws {
        let (folder, loops) = (TemporaryFolder(), try EventLoopGroup(count: 1))
        let store = try await DiscoveryStore.open(folder.path + "/live.db")
        let client = HTTPClient(loop: loops.loops[0], agent: "Waymark (test)")
        let upstream = Upstream(
            server: NominatimServer(url: url, rules: rules), store: store, client: client, clock: clock)
        let geocoder = Geocoder(Geocoder.Sources(gazetteer: try BundledGazetteer.open()), upstream: upstream)
        var failure: (any Error)?
        do { try await TestService.run(geocoder: geocoder, body) } catch { failure = error }
        await client.close()
        await store.close()
        loops.shutDown()
        if let failure { throw failure }
    }

    private static func ask(_ service: TestService, _ text: String) async throws -> [GeocodeMatch] {
        try await service.client.geocode(GeocodeRequest(text: text), TestService.soon).matches
    }

    private static func refusal(_ service: TestService, _ text: String) async throws -> RPCError {
        try await service.refusal { try await $0.geocode(GeocodeRequest(text: text), TestService.soon) }
    }

    @Test("is asked for what is not known here, once, and its matches are as good as ours")
    func asked() async throws {
        try await Self.run { service, fixture async throws in
            #expect(try await Self.ask(service, "Paris, Texas").first?.name == "Paris")
            #expect(fixture.requests.isEmpty)
            for text in ["10 Downing Street, London", " 10 downing  street,\tLONDON"] {
                let matches = try await Self.ask(service, text)
                let house = try #require(matches.first)
                #expect(matches.count == 1 && house.kind == .address && house.name == "Downing Street 10")
                #expect(house.town == "London" && house.region == "England" && house.countryCode == "GB")
                #expect(house.postcode == "SW1" && house.attribution.contains("OpenStreetMap"))
                #expect(house.position == BaseContracts.Coordinate(latitude: 51.5032802, longitude: -0.1276358))
                #expect(house.box?.northEast?.latitude == 51.5033302)
            }
            #expect(fixture.requests.count == 1)
            let request = try #require(fixture.requests.first)
            #expect(request.path == "/search" && request.query["q"] == "10 Downing Street, London")
            #expect(request.query["format"] == "jsonv2" && request.headers["user-agent"] == "Waymark (test)")
        }
    }

    @Test("is asked for each text by itself: a sign makes another one, blanks do not")
    func texts() async throws {
        try await Self.run(text: "[]") { service, fixture async throws in
            let texts = ["33.86, 151.2", "-33.86, 151.2", "33.86, -151.2", "?", "🗼"]
            for text in texts + [" 33.86,  151.2"] {
                #expect(try await Self.refusal(service, text).code == .notFound, "\(text)")
            }
            #expect(fixture.requests.map { $0.query["q"] } == texts)
        }
    }

    @Test("that knows nothing is believed, until the answer has expired")
    func nothing() async throws {
        let clock = ManualClock()
        try await Self.run(clock: clock.clock, text: "[]") { service, fixture async throws in
            for _ in 0..<3 { #expect(try await Self.refusal(service, "Nowhereville Xyz").code == .notFound) }
            #expect(fixture.requests.count == 1)
            clock.move(by: NetworkRules.free.expiryMilliseconds + 1)
            #expect(try await Self.refusal(service, "nowhereville xyz").code == .notFound)
            #expect(fixture.requests.count == 2)
        }
    }

    static let faults: [(Int, String)] = [
        (200, "<html>"), (200, #"{"error":"Unable to geocode"}"#), (200, "[17]"), (200, ""), (429, "slow down"),
        (509, "<html>bandwidth"), (500, "oops"), (403, "no"),
    ]

    @Test("that fails is UNAVAILABLE, which is another answer than NOT_FOUND", arguments: faults.indices)
    func faulty(index: Int) async throws {
        let (status, text) = Self.faults[index]
        try await Self.run(status: status, text: text) { service, _ async throws in
            #expect(try await Self.refusal(service, "Nowhereville Xyz").code == .unavailable)
            #expect(try await Self.refusal(service, " ").code == .invalidArgument)
            #expect(try await Self.ask(service, "Oslo").first?.name == "Oslo")
        }
    }

    @Test("A4 that fails is asked once for one call: no client repeats that by itself")
    func once() async throws {
        try await Self.run(status: 500, text: "oops") { service, fixture async throws in
            let error = try await service.refusal {
                try await $0.geocode(GeocodeRequest(text: "Nowhereville Xyz"), TestService.soon)
            }
            #expect(error.code == .unavailable && error.details?.retryAfterMs != nil)
            #expect(fixture.requests.count == 1)
        }
    }

    @Test("that nobody can reach is UNAVAILABLE")
    func unreachable() async throws {
        try await Self.run(url: "http://127.0.0.1:1") { service async throws in
            let error = try await Self.refusal(service, "Nowhereville Xyz")
            #expect(error.code == .unavailable && error.message.contains("no connection"))
        }
    }

    @Test("is asked no more often than it allows; who would wait too long is told when to come back")
    func pace() async throws {
        let clock = ManualClock()
        let rules = NetworkRules(perSecond: 0.01, burst: 1, perDay: 10)
        try await Self.run(rules: rules, clock: clock.clock, text: "[]") { service, fixture async throws in
            #expect(try await Self.refusal(service, "Nowhereville one").code == .notFound)
            let error = try await Self.refusal(service, "Nowhereville two")
            #expect(error.code == .unavailable && error.details?.retryAfterMs == 100_000)
            #expect(fixture.requests.count == 1)
            clock.move(by: 100_000)
            #expect(try await Self.refusal(service, "Nowhereville two").code == .notFound)
            #expect(fixture.requests.count == 2)
        }
    }

    @Test("is off until it is configured, once a second at most, and is told whom to write to")
    func settings() throws {
        func config(_ arguments: String...) throws -> LiveConfig {
            try LiveConfig(try Options(Option.placeNetworks, arguments: arguments, environment: [:]))
        }
        #expect(try config().geocoder == nil)
        #expect(throws: OptionError.self) { try config("--nominatim-url", "https://geo.example") }
        let server = try #require(
            try config("--nominatim-url", "https://geo.example/", "--contact", "me@example.org").geocoder)
        #expect(server.url == "https://geo.example" && server.rules.perSecond == 1 && server.rules.burst == 1)
    }
}
