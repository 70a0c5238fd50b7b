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

/// Everything that an account can ask, of a service where another has a pin and of one where nobody has.
@Suite("P32 P70 What a network gave for one account tells no other where it has pins", .timeLimit(.minutes(2)))
struct OwnPlacesTests {
    private static let centre = FixtureCity.centre
    private static let box = BaseContracts.Box(
        southWest: BaseContracts.Coordinate(latitude: 60.1, longitude: 24.8),
        northEast: BaseContracts.Coordinate(latitude: 60.2, longitude: 25.1))
    private static let table = "id\tname\tlat\tlon\tcategories\n1\tKiosk\t60.171\t24.941\tamenity/kiosk\n"
    private static let pin = "0198a1b2-0000-7000-8000-000000000001"

    private static func context(_ account: String, _ method: MethodDescriptor) -> CallContext {
        CallContext(
            method: method, deadline: .now + TestService.timeout,
            identity: ProvenIdentity(account: account, roles: .user, expiresUnixMs: .max))
    }

    private static func discover(_ account: String, _ service: TestService) async throws -> NetworkResult? {
        try await service.handler.discover(
            DiscoverRequest(centre: BaseContracts.Coordinate(centre), radiusM: 1_000, nearest: 50),
            context(account, PlacesServiceMethods.discover)
        ).results.first
    }

    private static func nearby(_ account: String, _ request: NearbyRequest, _ service: TestService) async throws
        -> NearbyResponse
    {
        let packed = try await service.handler.nearby(request, context(account, PlacesServiceMethods.nearby))
        return try NearbyResponse(packed: packed.bytes)
    }

    private static func ids(_ account: String, _ service: TestService) async throws -> [String] {
        let request = NearbyRequest(centre: BaseContracts.Coordinate(centre), radiusM: 2_000, limit: 200)
        return try await nearby(account, request, service).places.map(\.id)
    }

    /// What an account can see, as text; without how long it took.
    private static func seen(by account: String, _ service: TestService) async throws -> [String] {
        let at = BaseContracts.Coordinate(centre)
        let requests = [
            NearbyRequest(centre: at, radiusM: 2_000, limit: 200, includeCount: true),
            NearbyRequest(centre: at, radiusM: 50, networks: ["foursquare"]),
            NearbyRequest(centre: at, limit: 5, networks: ["foursquare"], anyDistance: true),
            NearbyRequest(centre: at, radiusM: 2_000, nameText: "venue"),
            NearbyRequest(centre: at, radiusM: 2_000, categories: ["foursquare"]),
        ]
        var seen: [String] = []
        for request in requests {
            do {
                seen.append("\(try await nearby(account, request, service))")
            } catch {
                seen.append("\(error)")
            }
        }
        let within = try await service.handler.within(
            WithinRequest(box: box, limit: 200, includeCount: true), context(account, PlacesServiceMethods.within))
        seen.append("\(try WithinResponse(packed: within.bytes))")
        for text in ["Venue 7", "ice cream shop"] {
            seen.append(await found(FindRequest(text: text, near: at), by: account, service))
        }
        let clusters = try await PlaceClusterHandler(places: service.handler).findClusters(
            FindClustersRequest(box: box, zoom: 15), context(account, ClusterServiceMethods.findClusters))
        seen.append("\(clusters)")
        return seen
    }

    /// What is found once the addresses of what was loaded have been read, which happens behind it.
    private static func found(_ request: FindRequest, by account: String, _ service: TestService) async -> String {
        while true {
            do {
                return "\(try await service.handler.find(request, context(account, PlacesServiceMethods.find)))"
            } catch {
                guard "\(error)".contains("are still being read") else { return "\(error)" }
                await Task.yield()
            }
        }
    }

    @Test("an account can't tell whether another has a pin in a cell, whatever it asks", arguments: LiveKind.allCases)
    func untold(kind: LiveKind) async throws {
        let city = try FixtureCity(30, reachMetres: 900)
        var stories: [[String]] = []
        for hasPin in [false, true] {
            try await TestService.live(kind, answer: { kind.answer(city, $0) }) { service, fixture in
                try await service.load(Self.table)
                if hasPin {
                    #expect(try await Self.discover("ann", service)?.placeCount == UInt32(city.count(1_000)))
                    #expect(try await Self.ids("ann", service).count > city.count(900))
                }
                var story = try await Self.seen(by: "bo", service)
                let before = fixture.requests.count
                // Its own question costs the same requests, and gives the same.
                let result = try await Self.discover("bo", service)
                story.append("\(result?.status as Any) \(result?.placeCount ?? 0) \(result?.requestCount ?? 0)")
                story.append("\(fixture.requests.count - before)")
                story += try await Self.seen(by: "bo", service)
                stories.append(story)
            }
        }
        #expect(stories[0] == stories[1])
        #expect(stories[0].contains { $0.contains("Venue 7") })
    }

    @Test("each account sees what its own searches were given, and the datasets; after a restart as well")
    func own() async throws {
        let (folder, west, east) = (TemporaryFolder(), Self.centre, Shapes.point(60.17, 25.04))
        let city = FixtureCity(
            try FixtureCity(20, around: west, reachMetres: 500),
            try FixtureCity(10, around: east, reachMetres: 500, numberedFrom: 101))
        try await HTTPFixture.with {
            city.foursquare($0, pages: true)
        } _: { _, url in
            let live = LiveNetwork(provider: LiveKind.foursquare.provider(url), rules: .free)
            func count(_ account: String, _ centre: Geo.Coordinate, _ service: TestService) async throws -> Int {
                let request = NearbyRequest(
                    centre: BaseContracts.Coordinate(centre), radiusM: 1_000, limit: 200, networks: ["foursquare"])
                return try await Self.nearby(account, request, service).places.count
            }
            try await TestService.run(in: folder, live: [live]) { service in
                for (account, centre) in [("ann", west), ("bo", east)] {
                    _ = try await service.handler.discover(
                        DiscoverRequest(centre: BaseContracts.Coordinate(centre), radiusM: 1_000),
                        Self.context(account, PlacesServiceMethods.discover))
                }
                #expect(try await count("ann", west, service) == 20)
                #expect(try await count("ann", east, service) == 0)
                #expect(try await count("bo", east, service) == 10)
                #expect(try await count("cy", west, service) == 0)
            }
            try await TestService.run(in: folder, live: [live]) { service in
                #expect(try await count("ann", west, service) == 20)
                #expect(try await count("bo", west, service) == 0)
                // An account that is deleted leaves nothing of it; the other's is as it was.
                let areas = HeldAreaHandler(store: service.store, own: service.index.own)
                _ = try await areas.forgetFindings(
                    ForgetFindingsRequest(), Self.context("ann", HeldAreaServiceMethods.forgetFindings))
                #expect(try await count("ann", west, service) == 0)
                #expect(try await count("bo", east, service) == 10)
                let left = try await service.store.database.read { transaction throws(SQLError) in
                    try transaction.first(
                        """
                        SELECT (SELECT count(*) FROM own_places WHERE account = 'ann')
                            + (SELECT count(*) FROM network_shares WHERE account = 'ann')
                            + (SELECT count(*) FROM network_searches WHERE account = 'ann')
                            + (SELECT count(*) FROM grid_cells WHERE network = 'foursquare for ann')
                        """
                    ) { row throws(SQLError) in try row.integer(0) }
                }
                #expect(left == 0)
            }
        }
    }

    @Test("what was found before places were accounts' is theirs who have a pin there")
    func earlier() async throws {
        try await TestService.run { service in
            let place = try #require(
                FoundPlace(
                    id: "1", name: "Old", latitude: Self.centre.latitude, longitude: Self.centre.longitude))
            // As the migration leaves it: of no account.
            try await service.index.upsert([place], network: .foursquare, seen: 1)
            #expect(try await Self.ids("ann", service).isEmpty)
            let areas = HeldAreaHandler(store: service.store, own: service.index.own)
            _ = try await areas.holdArea(
                HoldAreaRequest(pinId: Self.pin, centre: BaseContracts.Coordinate(Self.centre), radiusM: 1_000),
                Self.context("ann", HeldAreaServiceMethods.holdArea))
            #expect(try await Self.ids("ann", service) == ["foursquare/1"])
            #expect(try await Self.ids("bo", service).isEmpty)
        }
    }
}
