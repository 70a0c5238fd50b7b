import Compression
import Contracts
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import Gateway

@Suite("P29 a pin's map picture from the gateway", .timeLimit(.minutes(5)))
struct PinMapTests {
    private static let id = "0198a1b2-0000-7000-8000-000000000001"
    private static let foreign = "0198a1b2-0000-7000-8000-000000000002"
    private static let square = Coordinate(latitude: 60.1712, longitude: 24.9414)
    private static let backends = FakeBackends(kept: [
        "local": [id: Pin(id: id, name: "Square", position: square)],
        "another": [foreign: Pin(id: foreign, name: "Elsewhere", position: square)],
    ])
    private static let map = [
        "--map", "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Data/map",
    ]
    private static let path = "/maps/\(id)"

    private func with(
        isOpen: Bool = true, _ settings: [String] = map, _ body: (RunningGateway) async throws -> Void
    ) async throws {
        try await RunningGateway.with(Self.backends, isOpen: isOpen, settings: settings, body)
    }

    @Test("is a PNG, the same again, with its digest and what has to be shown with it")
    func picture() async throws {
        try await with { gateway in
            let request = GetPinMapRequest(pinId: Self.id, width: 120, height: 80)
            let first = try await gateway.maps.getPinMap(request)
            #expect(Array(first.png.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
            #expect(first.attribution.contains("Natural Earth") && first.sha256.utf8.count == 64)
            let second = try await gateway.maps.getPinMap(request)
            #expect(second == first)
            let sharp = try await gateway.maps.getPinMap(
                GetPinMapRequest(pinId: Self.id, spanDegrees: 0.01, width: 120, height: 80, scale: 2))
            #expect(sharp.png != first.png && sharp.attribution.contains("OpenStreetMap"))
        }
    }

    @Test("shows some hundred metres where there are streets and else the region, by day or by night")
    func nearOrRegion() async throws {
        var backends = Self.backends
        let paris = "0198a1b2-0000-7000-8000-000000000004"
        backends.kept["local"]?[paris] = Pin(id: paris, position: Coordinate(latitude: 48.8566, longitude: 2.3522))
        try await RunningGateway.with(backends, settings: Self.map) { gateway in
            for (id, span) in [(Self.id, 0.008), (paris, 0.3)] {
                var request = GetPinMapRequest(pinId: id, width: 120, height: 80)
                let chosen = try await gateway.maps.getPinMap(request)
                request.spanDegrees = span
                #expect(try await gateway.maps.getPinMap(request) == chosen)
                request.dark = true
                let night = try await gateway.maps.getPinMap(request)
                #expect(night.png != chosen.png && night.attribution == chosen.attribution)
                let target = "/maps/\(id)?width=120&height=80&dark=true"
                #expect(try await gateway.http.ask("GET", target).body == night.png)
            }
        }
    }

    @Test("asks the pin service in the caller's name: another account's pin is NOT_FOUND, as is none")
    func account() async throws {
        try await with { gateway in
            for id in [Self.foreign, "0198a1b2-0000-7000-8000-000000000003"] {
                let error = try await errorOf { try await gateway.maps.getPinMap(GetPinMapRequest(pinId: id)) }
                #expect(error?.code == .notFound)
                #expect(try await gateway.http.ask("GET", "/maps/\(id)").status == 404)
            }
        }
    }

    @Test("is refused to strangers, and to pages of other sites")
    func strangers() async throws {
        try await with(isOpen: false) { gateway in
            let error = try await errorOf { try await gateway.maps.getPinMap(GetPinMapRequest(pinId: Self.id)) }
            #expect(error?.code == .unauthenticated)
            #expect(try await gateway.http.ask("GET", Self.path).status == 401)
            #expect(gateway.behind.contexts.isEmpty)
        }
        try await with { gateway in
            let foreign = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]
            let reply = try await gateway.http.ask("GET", Self.path, foreign)
            #expect(reply.status == 403)
        }
    }

    @Test("refuses what is out of range, names the field, and asks for no pin")
    func refusals() async throws {
        let bad: [(String, GetPinMapRequest)] = [
            ("pin_id", GetPinMapRequest()), ("pin_id", GetPinMapRequest(pinId: "7")),
            ("pin_id", GetPinMapRequest(pinId: "0198a1b2-0000-7000-8000-00000000000g")),
            ("span_degrees", GetPinMapRequest(pinId: Self.id, spanDegrees: 0)),
            ("span_degrees", GetPinMapRequest(pinId: Self.id, spanDegrees: 180.1)),
            ("span_degrees", GetPinMapRequest(pinId: Self.id, spanDegrees: .nan)),
            ("width", GetPinMapRequest(pinId: Self.id, width: 63)),
            ("width", GetPinMapRequest(pinId: Self.id, width: .max)),
            ("height", GetPinMapRequest(pinId: Self.id, height: 1025)),
            ("scale", GetPinMapRequest(pinId: Self.id, scale: 3)),
            ("scale", GetPinMapRequest(pinId: Self.id, scale: 0)),
        ]
        try await with { gateway in
            for (field, request) in bad {
                let error = try await errorOf { try await gateway.maps.getPinMap(request) }
                #expect(error?.code == .invalidArgument, "\(request)")
                #expect(error?.details?.fieldViolations.first?.field == field, "\(request)")
            }
            let queries = [
                "spanDegrees=x", "width=-1", "height=1e3", "scale=", "spanDegrees=nan", "width=99999999999", "dark=1",
            ]
            for query in queries {
                let reply = try await gateway.http.ask("GET", "\(Self.path)?\(query)")
                #expect(reply.status == 400, "\(query)")
            }
            #expect(gateway.behind.contexts.isEmpty)
        }
    }

    @Test("is an image for a browser, which asks whether it is still the same")
    func image() async throws {
        try await with { gateway in
            let target = "\(Self.path)?width=120&height=80&spanDegrees=2&scale=2"
            let reply = try await gateway.http.ask("GET", target)
            #expect(reply.status == 200 && reply["content-type"] == "image/png")
            #expect(reply["cache-control"] == "private, no-cache")
            let tag = try #require(reply["etag"])
            let drawn = try await gateway.maps.getPinMap(
                GetPinMapRequest(pinId: Self.id, spanDegrees: 2, width: 120, height: 80, scale: 2))
            #expect(reply.body == drawn.png && tag == "\"\(drawn.sha256)\"")
            let again = try await gateway.http.ask("GET", target, [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty)
            let part = try await gateway.http.ask("GET", target, [("Range", "bytes=0-7")])
            #expect(part.status == 206 && part.body == Array(drawn.png.prefix(8)))
            let head = try await gateway.http.ask("HEAD", target)
            #expect(head.status == 200 && head["content-length"] == "\(drawn.png.count)" && head.body.isEmpty)
            #expect(try await gateway.http.ask("POST", target)["allow"] == "GET, HEAD")
            #expect(try await gateway.http.ask("GET", "/maps/").status == 400)
        }
    }

    @Test("has the streets of a dataset's map, another edition when that is imported again, and does without one")
    func datasetMap() async throws {
        let view = GetPinMapRequest(pinId: Self.id, spanDegrees: 0.01, width: 200, height: 120)
        func picture(_ backends: FakeBackends) async throws -> GetPinMapResponse {
            var answer = GetPinMapResponse()
            try await RunningGateway.with(backends, settings: Self.map) { answer = try await $0.maps.getPinMap(view) }
            return answer
        }
        var backends = Self.backends
        backends.kept = ["local": [Self.id: Pin(id: Self.id, position: Coordinate(latitude: 47.5, longitude: 8.5))]]
        let bare = try await picture(backends)
        let box = Box(
            southWest: Coordinate(latitude: 47.4, longitude: 8.4), northEast: Coordinate(latitude: 47.6, longitude: 8.6)
        )
        let tiles = DatasetTiles(box: box, minimumZoom: 5, maximumZoom: 14, version: "1")
        backends.datasets = [Dataset(name: "zh", attribution: "Us", tiles: tiles)]
        // All of the tile is a park.
        let park = VectorTileFeature(
            tags: [0, 0], type: 3, geometry: [9, 0, 0, 26, 8192, 0, 0, 8192, 8191, 0, 15])
        let layers = ["coverage", "parks"].map {
            VectorTileLayer(
                name: $0, features: [park], keys: ["class"], values: [VectorTileValue(text: "wood")], extent: 4096,
                version: 2)
        }
        backends.tile = Gzip.pack(VectorTile(layers: layers).packedBytes())
        let drawn = try await picture(backends)
        #expect(drawn.png != bare.png && drawn.attribution == bare.attribution + "; Us")
        // A map whose tiles don't come is left out.
        backends.tile = nil
        #expect(try await picture(backends) == bare)
    }

    @Test("has the streets that a network gives where that is on and chosen, and else none")
    func networkStreets() async throws {
        let paris = "0198a1b2-0000-7000-8000-000000000004"
        var backends = FakeBackends()
        backends.kept = ["local": [paris: Pin(id: paris, position: Coordinate(latitude: 48.8566, longitude: 2.3522))]]
        let park = VectorTileFeature(tags: [0, 0], type: 3, geometry: [9, 0, 0, 26, 8192, 0, 0, 8192, 8191, 0, 15])
        let layer = VectorTileLayer(
            name: "landuse", features: [park], keys: ["class"], values: [VectorTileValue(text: "park")], extent: 4096,
            version: 2)
        backends.tile = Gzip.pack(VectorTile(layers: [layer]).packedBytes())
        let on = NetworkInfo(name: "streetmap", on: true, gives: ["maps"], attribution: "Them")
        var pictures: [GetPinMapResponse] = []
        for (network, isChosen) in [(on, true), (on, false), (NetworkInfo(name: "streetmap"), true)] {
            backends.networks = [network]
            backends.choices = Contracts.Settings(networks: isChosen ? ["streetmap"] : ["flickr"])
            try await RunningGateway.with(backends, settings: Self.map) { gateway in
                let request = GetPinMapRequest(pinId: paris, width: 120, height: 80)
                let first = try await gateway.maps.getPinMap(request)
                #expect(try await gateway.maps.getPinMap(request) == first)
                pictures.append(first)
            }
        }
        #expect(pictures[0].attribution.hasSuffix("; Them") && !pictures[1].attribution.contains("Them"))
        #expect(pictures[0].png != pictures[1].png && pictures[1] == pictures[2])
    }

    @Test("says what is missing where there is no map")
    func noMap() async throws {
        try await with([]) { gateway in
            let error = try await errorOf { try await gateway.maps.getPinMap(GetPinMapRequest(pinId: Self.id)) }
            #expect(error?.code == .failedPrecondition && error?.message.contains("--map") == true)
        }
    }
}
