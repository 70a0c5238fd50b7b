import Compression
import Files
import HTTP
import HTTPClient
import LiveNetworks
import PlaceContracts
import RPC
import TestSupport
import TestTools
import Testing
import VectorTiles
import Wire

@testable import PlacesService

/// What a server of tiles answers that is none.
struct TileFault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let response: HTTPResponse
    let says: String

    init(_ name: String, _ type: String, _ body: [UInt8], gzip: Bool = false, status: Int = 200, says: String) {
        testDescription = name
        var headers: HTTPFields = [("Content-Type", type)]
        if gzip { headers.add("Content-Encoding", "gzip") }
        response = HTTPResponse(status, headers: headers, body: .bytes(body))
        self.says = says
    }

    private static let tiles = "application/x-protobuf"
    private static let page = Array("<html>Log in</html>".utf8)
    private static let zeros = [UInt8](repeating: 0, count: 9 << 20)
    /// One layer, which is longer than a tile may be.
    private static let long = [0x1a, 0x80, 0x80, 0x80, 4, 0x0a, 1, 0x61] + [UInt8](repeating: 0, count: (8 << 20) - 3)

    static let all = [
        TileFault("a page", "text/html; charset=utf-8", page, says: "text/html"),
        TileFault("a page that is called a tile", tiles, page, says: "no vector tile"),
        TileFault("a picture", "image/png", [0x89, 0x50], says: "image/png"),
        TileFault("damaged gzip, said", tiles, [0x1f, 0x8b, 8, 0, 1, 2, 3], gzip: true, says: ""),
        TileFault("damaged gzip, not said", tiles, [0x1f, 0x8b, 8, 0, 1, 2, 3], says: "damaged gzip"),
        TileFault(
            "cut gzip", tiles, Array(Compression.Gzip.pack(TileServer.tile("a")).dropLast(3)), says: "damaged gzip"),
        TileFault("far too long", tiles, zeros, says: "more than"),
        TileFault("a bomb, said", tiles, Compression.Gzip.pack(zeros), gzip: true, says: "more than"),
        TileFault("a bomb, not said", tiles, Compression.Gzip.pack(zeros), says: "unpacks"),
        TileFault("an error", "text/plain", page, status: 500, says: "500"),
        TileFault("a redirection", "text/plain", page, status: 302, says: "302"),
    ]
}

@Suite("P58 What a server of vector tiles does wrong", .timeLimit(.minutes(2)))
struct StreetFaultTests {
    @Test("is counted and not shown, and what was kept stays", arguments: TileFault.all)
    func fault(fault: TileFault) async throws {
        let (server, clock) = (TileServer(), ManualClock())
        try await TestService.streets(from: server, clock: clock) { service, _ in
            let tile = try await service.street()
            server.set { $0.fault = fault.response }
            let error = try await service.refusal { _ in try await service.street(10, 584) }
            #expect(error.code == .unavailable && error.message.contains(fault.says), "\(error)")
            clock.move(by: 8 * 86_400_000)
            #expect(try await service.street() == tile)
            let queue = try #require(service.handler.discovery.streets?.queue)
            // What was kept is answered with before the fault is known, where that takes long.
            #expect(await eventually { queue.sent(.malformed) + queue.sent(.unavailable) == 2 })
            // It is asked again when it is well.
            server.set { $0.fault = nil }
            #expect(try await service.street(10, 584) == tile)
        }
    }

    @Test(
        "a refusal is obeyed at once, for as long as it says",
        arguments: [(403, 600), (429, 60), (503, 90), (429, 7)] as [(Int, Int64)])
    func refusal(status: Int, seconds: Int64) async throws {
        let (server, clock) = (TileServer(), ManualClock())
        var response = HTTPResponse(status, text: "no")
        if status != 403, seconds != 60 { response.headers.add("Retry-After", "\(seconds)") }
        server.set { [response] in $0.fault = response }
        try await TestService.streets(from: server, clock: clock) { service, fixture in
            for x in UInt32(583)..<590 {
                let error = try await service.refusal { _ in try await service.street(10, x) }
                #expect(error.code == .unavailable)
            }
            #expect(fixture.tiles.count == 1)
            let infos = try await service.client.listNetworks(ListNetworksRequest(), TestService.soon).networks
            let info = try #require(infos.last)
            #expect(info.name == "streetmap" && !info.pauseReason.isEmpty)
            #expect(info.pausedUntil?.unixMilliseconds == clock.now + seconds * 1_000)
            server.set { $0.fault = nil }
            clock.move(by: seconds * 1_000 - 1)
            _ = try await errorOf { try await service.street() }
            #expect(fixture.tiles.count == 1)
            clock.move(by: 1)
            #expect(try await service.street() == TileServer.tile("20260913 10"))
        }
    }

    @Test("a folder that is full forgets what was used the longest time ago; one that can't be used costs nothing else")
    func full() async throws {
        try await TestService.streets(from: TileServer(), cacheBytes: 3 * 4_096) { service, fixture in
            for x in [UInt32(1), 2, 3, 1, 4, 1, 2] { _ = try await service.street(10, x) }
            #expect(fixture.tiles.count == 5)
            let folder = service.folder.path + "/data/streets"
            let own = try #require(try DiskFile.names(in: folder).first)
            #expect(try DiskFile.names(in: "\(folder)/\(own)") == ["10-1-296", "10-2-296", "10-4-296", "tilejson"])
        }
        let folder = TemporaryFolder()
        try DiskFile.makeFolder(folder.path + "/data")
        try DiskFile.create(folder.path + "/data/streets", with: [1])
        try await TestService.streets(from: TileServer(), in: folder) { service, fixture in
            let tiles = [try await service.street(), try await service.street()]
            #expect(tiles.allSatisfy { $0 == TileServer.tile("20260913 10") })
            #expect(fixture.tiles.count == 2)
        }
    }

    @Test("a damaged file counts for nothing")
    func damagedFile() async throws {
        try await TestService.streets(from: TileServer()) { service, fixture in
            let tile = try await service.street()
            let folder = service.folder.path + "/data/streets"
            let own = try #require(try DiskFile.names(in: folder).first)
            let path = "\(folder)/\(own)/10-583-296"
            let bytes = try SmallFile.read(path, limit: 1 << 20)
            let cut = Array(bytes.dropLast())
            for damaged in [[], cut, cut + [bytes[bytes.count - 1] ^ 1]] as [[UInt8]] {
                try DiskFile.replace(path, with: damaged)
                #expect(try await service.street() == tile)
            }
            #expect(fixture.tiles.count == 4)
        }
    }

    @Test(
        "tiles are fetched from the host that the operator named, or one below it, and from nowhere else",
        arguments: [
            ("https://tiles.example.org/1/{z}/{x}/{y}", true), ("https://a.tiles.example.org/{z}/{x}/{y}", true),
            ("http://tiles.example.org/{z}/{x}/{y}", false), ("https://tiles.example.org:8443/{z}/{x}/{y}", false),
            ("https://example.org/{z}/{x}/{y}", false), ("https://eviltiles.example.org/{z}/{x}/{y}", false),
            ("https://tiles.example.org@127.0.0.1/{z}/{x}/{y}", false), ("https://169.254.169.254/{z}/{x}/{y}", false),
            ("file:///etc/{z}/{x}/{y}", false), ("//tiles.example.org/{z}/{x}/{y}", false),
        ])
    func hosts(template: String, isAllowed: Bool) {
        let config = StreetConfig(address: "https://tiles.example.org/planet")
        #expect(config.mayFetch(template) == isAllowed)
        let json = Array(#"{"tiles":["\#(template)"]}"#.utf8)
        #expect(((try? TileDescription(json: json, config)) != nil) == isAllowed)
    }

    @Test("where the operator names a place for them, they are fetched from there alone")
    func namedHost() {
        let config = StreetConfig(address: "https://example.org/tiles.json", tiles: "https://cdn.example.net/v1")
        #expect(config.mayFetch("https://cdn.example.net/v1/{z}/{x}/{y}"))
        #expect(!config.mayFetch("https://cdn.example.net/v10/{z}/{x}/{y}"))
        #expect(!config.mayFetch("https://example.org/{z}/{x}/{y}"))
        #expect(!config.isPublicOnly("https://cdn.example.net/v1/1/1/1"))
        let other = StreetConfig(address: "http://nas.local/tiles.json")
        #expect(!other.isPublicOnly("http://nas.local/1/1/1") && other.isPublicOnly("http://a.nas.local/1/1/1"))
    }

    @Test(
        "a TileJSON that can't be used is refused with the reason",
        arguments: [
            ("no", "no TileJSON"), ("{}", "no TileJSON"), (#"{"tiles":[]}"#, "no address"),
            (#"{"tiles":["https://tiles.example.org/{z}"]}"#, "no address"),
            (#"{"tiles":["https://x.example/{z}/{x}/{y}"]}"#, "--streetmap-tiles"),
            (#"{"tiles":["https://tiles.example.org/{z}/{x}/{y}"],"scheme":"tms"}"#, "from the north"),
            (#"{"tiles":["https://tiles.example.org/{z}/{x}/{y}"],"minzoom":1e300}"#, "zoom levels"),
            (#"{"tiles":["https://tiles.example.org/{z}/{x}/{y}"],"minzoom":9,"maxzoom":3}"#, "zoom levels"),
        ])
    func description(json: String, says: String) {
        let config = StreetConfig(address: "https://tiles.example.org/planet")
        do {
            _ = try TileDescription(json: Array(json.utf8), config)
            Issue.record("it was taken")
        } catch {
            #expect(error.kind == .malformed && error.reason.contains(says), "\(error)")
        }
    }

    @Test(
        "an answer lasts as long as it says, within bounds, and a week if it does not say",
        arguments: [
            ([:], 604_800), (["cache-control": "max-age=3600"], 3_600),
            (["cache-control": "Max-Age=3600, Public"], 3_600),
            (["cache-control": "s-maxage=120, max-age=5"], 120),
            (["cache-control": "max-age=3600", "age": "600"], 3_000),
            (["cache-control": "no-cache"], 60), (["cache-control": "max-age=315360000"], 2_592_000),
            (["cache-control": "max-age=9223372036854775807"], 2_592_000), (["cache-control": "max-age=-5"], 60),
            (["expires": "Tue, 14 Nov 2023 23:13:20 GMT"], 3_600), (["expires": "0"], 60),
        ] as [([String: String], Int64)])
    func life(headers: [String: String], seconds: Int64) {
        let response = HTTPClientResponse(status: 200, headers: headers)
        #expect(AnswerLife(response, at: 1_700_000_000_000).milliseconds == seconds * 1_000)
    }
}
