import HTTP
import PlaceContracts
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P58 The streets of the world, from a server of vector tiles", .timeLimit(.minutes(2)))
struct StreetMapTests {
    private static let hour: Int64 = 3_600_000

    @Test(
        "a tile comes in gzip from servers of each shape, also one without anything on it",
        arguments: TileServer.Shape.allCases)
    func shapes(shape: TileServer.Shape) async throws {
        try await TestService.streets(from: TileServer(shape)) { service, fixture in
            #expect(try await service.street() == TileServer.tile("20260913 10"))
            #expect(try await service.street(10, 0, 5).isEmpty)
            #expect(fixture.descriptionCount == 1 && fixture.tiles.count == 2)
            #expect(fixture.requests.last?.headers["user-agent"] == "Waymark (self-hosted; tester@example.org)")
            let headers = try #require(fixture.requests.last?.headers)
            #expect(headers["referer"] == nil && headers["cookie"] == nil && headers["cache-control"] == nil)
        }
    }

    @Test("many who look at the same square ask for it once, and what is kept is asked for by no one")
    func once() async throws {
        try await TestService.streets(from: TileServer()) { service, fixture in
            let tiles = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<20 { group.addTask { try await service.street() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(tiles.count == 20 && tiles.allSatisfy { $0 == TileServer.tile("20260913 10") })
            #expect(try await service.street() == TileServer.tile("20260913 10"))
            #expect(fixture.tiles.count == 1)
        }
    }

    @Test("a tile is shown for as long as its server says, then asked for by its tag")
    func life() async throws {
        let (server, clock) = (TileServer(), ManualClock())
        server.set { $0.fields = [("Cache-Control", "public, max-age=7200")] }
        try await TestService.streets(from: server, clock: clock) { service, fixture in
            for step in [0, Self.hour, 2 * Self.hour] as [Int64] {
                clock.move(by: step)
                #expect(try await service.street() == TileServer.tile("20260913 10"))
            }
            #expect(fixture.tiles.count == 2)
            let last = try #require(fixture.requests.last { $0.path != "/planet" })
            #expect(last.headers["if-none-match"] == "\"20260913-10-583\"")
            // It was the same, and lasts as long again.
            clock.move(by: Self.hour)
            _ = try await service.street()
            #expect(fixture.tiles.count == 2)
        }
    }

    @Test("while the server is away what is kept stays, also after a restart, and it is left alone after some failures")
    func away() async throws {
        let (server, folder, clock) = (TileServer(.shortbread), TemporaryFolder(), ManualClock())
        try await HTTPFixture.with {
            await server.answer($0)
        } _: { fixture, url in
            let config = StreetConfig(address: "\(url)/planet", rules: .free)
            for isFirst in [true, false] {
                try await TestService.run(in: folder, streets: config, clock: clock.clock) { service in
                    #expect(try await service.street() == TileServer.tile("20260913 10"))
                    if isFirst { return }
                    let error = try await service.refusal { _ in try await service.street(10, 584) }
                    #expect(error.code == .unavailable && error.details?.retryAfterMs != nil, "\(error)")
                    for x in UInt32(600)..<620 { _ = try await errorOf { try await service.street(10, x) } }
                }
                clock.move(by: 40 * 24 * Self.hour)
                server.set { ($0.fault, $0.describes) = (HTTPResponse(503, text: "away"), false) }
            }
            // Five failures, and one more that was let through to see whether it is back.
            #expect(fixture.requests.count <= 2 + 7, "\(fixture.requests.map(\.path))")
        }
    }

    @Test("a tile that should be asked for again, and can't be, says since when it is known")
    func old() async throws {
        let (server, clock) = (TileServer(), ManualClock())
        server.set { $0.fields = [("Cache-Control", "max-age=3600")] }
        try await TestService.streets(from: server, clock: clock) { service, _ async throws in
            let request = GetTileRequest(dataset: "streetmap", zoom: 10, x: 583, y: 296)
            func since() async throws -> Int64? {
                try await service.client.getTile(request, TestService.soon).fetchedTime?.unixMilliseconds
            }
            let first = clock.now
            #expect(try await since() == nil)
            clock.move(by: 2 * Self.hour)
            server.set { $0.fault = HTTPResponse(500, text: "away") }
            #expect(try await since() == first)
            server.set { $0.fault = nil }
            #expect(try await since() == nil)
        }
    }

    @Test("a server whose rules forbid that is asked for nothing that no one looks at; what is kept is given")
    func inAdvance() async throws {
        let (server, folder) = (TileServer(), TemporaryFolder())
        try await HTTPFixture.with {
            await server.answer($0)
        } _: { fixture, url in
            var config = StreetConfig(address: "\(url)/planet", rules: .free)
            config.mayFetchInAdvance = false
            try await TestService.run(in: folder, streets: config) { service in
                _ = try await service.street()
                for x in [UInt32(583), 584] {
                    let request = GetTileRequest(dataset: "streetmap", zoom: 10, x: x, y: 296, inAdvance: true)
                    let error = try await errorOf { try await service.client.getTile(request, TestService.soon) }
                    #expect(error?.code == (x == 583 ? nil : .notFound), "\(x)")
                }
                #expect(fixture.tiles.count == 1)
            }
        }
        let names = ["vector.openstreetmap.org", "openstreetmap.org", "myopenstreetmap.org"]
        #expect(names.map { StreetConfig(address: "https://\($0)/tiles").mayFetchInAdvance } == [false, false, true])
    }

    @Test("one that is slow keeps no one waiting who has seen the tile before")
    func slow() async throws {
        let (server, clock) = (TileServer(), ManualClock())
        server.set { $0.fields = [("Cache-Control", "max-age=60")] }
        try await TestService.streets(from: server, clock: clock) { service, _ in
            _ = try await service.street()
            clock.move(by: Self.hour)
            let gate = Gate()
            server.set { ($0.gate, $0.edition) = (gate, "20261122") }
            #expect(try await service.street() == TileServer.tile("20260913 10"))
            gate.open()
        }
    }

    @Test("another edition has another path: it is found out when the former one has gone, and replaces what was kept")
    func edition() async throws {
        let (server, clock) = (TileServer(), ManualClock())
        try await TestService.streets(from: server, clock: clock) { service, fixture in
            _ = try await service.street()
            server.set { $0.edition = "20261122" }
            clock.move(by: Self.hour)
            #expect(try await service.street(11, 1166, 592) == TileServer.tile("20261122 11"))
            #expect(fixture.descriptionCount == 2)
            #expect(try await service.street() == TileServer.tile("20261122 10"))
            // Its tag was one of another path.
            #expect(fixture.requests.last?.headers["if-none-match"] == nil)
        }
    }

    @Test("where the server says that it has nothing, it is not asked")
    func range() async throws {
        try await TestService.streets(from: TileServer(zooms: 4...12)) { service, fixture in
            #expect(try await service.street(13, 5, 5).isEmpty)
            #expect(try await service.street(3, 1, 1).isEmpty)
            #expect(fixture.tiles.isEmpty)
            let error = try await service.refusal { _ in try await service.street(10, 1024) }
            #expect(error.code == .notFound)
        }
    }

    @Test("it is off until someone switches it on, who learns what it learns and what has to be shown with it")
    func off() async throws {
        try await TestService.streets(from: TileServer(), isOn: false, contact: "") { service, fixture in
            let error = try await service.refusal { _ in try await service.street() }
            #expect(error.code == .notFound && fixture.requests.isEmpty)
            let identity = ProvenIdentity(account: "ann", roles: .ofAccounts, expiresUnixMs: .max)
            let context = CallContext(method: PlacesServiceMethods.switchNetwork, identity: identity)
            let request = SwitchNetworkRequest(network: "streetmap", on: true, contact: "me@example.org")
            let info = try #require(try await service.handler.switchNetwork(request, context).network)
            #expect(info.on && info.gives == ["maps"] && info.sends.contains("squares of the map"))
            #expect(info.attribution == "Free Map © Mappers")
            #expect(try await service.street() == TileServer.tile("20260913 10"))
            #expect(fixture.requests.last?.headers["user-agent"] == "Waymark (self-hosted; me@example.org)")
        }
    }

    @Test("its name is that of no dataset")
    func name() async throws {
        try await TestService.run { service in
            let error = try await service.refusal { client in
                try await client.beginImport(
                    BeginImportRequest(dataset: "streetmap", fileName: "a.csv", byteCount: 10), TestService.soon)
            }
            #expect(error.code == .invalidArgument && error.details?.fieldViolations.map(\.field) == ["dataset"])
        }
    }
}
