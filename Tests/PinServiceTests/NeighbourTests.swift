import PhotoContracts
import PinContracts
import PlaceContracts
import Daemon
import EventLoops
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("B1 P18 The photo service knows the places around a pin that are not linked to it")
struct NeighbourTests {
    @Test(
        "those up to 200 metres beyond the radius, or beyond the nearest ones that are linked",
        arguments: [500.0, 2_000])
    func told(radius: Double) async throws {
        // At 1, 2, … metres; a pin links the nearest 1,000.
        let albums = ScriptedAlbums()
        try await PinWorld.with(DiscoveryTests.places(1_500), albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: radius))
            let pin = try await world.untilPin(created.id) { $0.state == .ready }
            let linked = min(1_000, Int(radius))
            #expect(Int(pin.placeCount) == linked)
            let told = albums.state.withLock { $0.parts.flatMap { $0.places.map(\.id) } }
            #expect(Set(told) == Set((0..<linked + 200).map { "catalog/test/\($0)" }))
            #expect(told.count == linked + 200, "each once")
            #expect(try await world.places(pin.id).count == linked)
        }
    }

    @Test("what the entry of a linked place says about pictures of it is told with it, within limits")
    func pictureTags() async throws {
        let (places, albums) = (ScriptedPlaces(), ScriptedAlbums())
        var (linked, beyond) = (Place.north(1, of: 60, 25, id: "here"), Place.north(150, of: 60, 25, id: "there"))
        linked.attributes = [
            Attribute(key: "wikidata", value: "Q42"), Attribute(key: "website", value: "https://a.example"),
            Attribute(key: "image", value: "File:A.jpg"),
            Attribute(key: "image", value: String(repeating: "x", count: 1_000)),
            Attribute(key: "panoramax", value: "a\u{1f}b"),
        ]
        beyond.attributes = [Attribute(key: "image", value: "File:B.jpg")]
        places.set { [linked, beyond] in $0.places = [linked, beyond] }
        try await PinWorld.with(places, albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 50))
            _ = try await world.untilPin(created.id) { $0.state == .ready }
            let told = albums.state.withLock { $0.parts.flatMap(\.places) }
            // A call whose answer came too late is repeated.
            let tags = Dictionary(told.map { ($0.id, $0.pictureTags?.tags) }) { _, last in last }
            #expect(tags == ["catalog/test/here": ["image=File:A.jpg", "wikidata=Q42"], "catalog/test/there": nil])
        }
    }

    @Test("R5 whether it is a stop or a machine is said of each place, linked or not, and again when that changes")
    func minor() async throws {
        let (places, albums) = (ScriptedPlaces(), ScriptedAlbums())
        func place(_ metres: Double, _ id: String, _ categories: [String]) -> PlaceContracts.Place {
            var place = PlaceContracts.Place.north(metres, of: 60, 25, id: id)
            place.categories = categories
            return place
        }
        let all = [
            place(1, "stop", ["highway/bus_stop", "public_transport/platform"]),
            place(2, "castle", ["historic/castle"]),
            place(3, "nothing", []), place(150, "machine", ["amenity/vending_machine"]),
            place(151, "cafe", ["amenity/cafe"]),
        ]
        places.set { $0.places = all }
        func sent() -> [String: Bool?] {
            let places = albums.state.withLock { $0.parts.flatMap(\.places) }
            return Dictionary(places.map { (String($0.id.dropFirst(13)), $0.minor) }, uniquingKeysWith: { $1 })
        }
        try await PinWorld.with(places, albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 50))
            _ = try await world.untilPin(created.id) { $0.state == .ready }
            #expect(sent() == ["stop": true, "castle": false, "nothing": false, "machine": true, "cafe": false])
            places.set { $0.places = [place(1, "stop", ["amenity/cafe"])] + all.dropFirst() }
            let again = MovePinRequest(
                id: created.id, position: Coordinate(latitude: 60, longitude: 25), force: true)
            _ = try await world.service.pins.movePin(again, world.service.of("ann"))
            _ = try await world.untilPin(created.id) { $0.state == .ready && $0.generation == 2 }
            #expect(sent()["stop"] == false)
        }
    }

    @Test("one that a move links is told again, and counts among the pin's places")
    func linked() async throws {
        let (places, albums) = (ScriptedPlaces(), ScriptedAlbums())
        places.set { $0.places = [.north(1, of: 60, 25, id: "here"), .north(150, of: 60, 25, id: "there")] }
        albums.set { $0.photos = ["catalog/test/there": 4] }
        try await PinWorld.with(places, albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 50))
            let first = try await world.untilPin(created.id) { $0.state == .ready }
            #expect([first.placeCount, first.photoCount] == [1, 0])
            let move = MovePinRequest(id: created.id, position: Coordinate(latitude: 60.00135, longitude: 25))
            _ = try await world.service.pins.movePin(move, world.service.of("ann"))
            let moved = try await world.untilPin(created.id) { $0.state == .ready && $0.photoCount == 4 }
            #expect(moved.placeCount == 2)
        }
    }
}

@Suite("B4 No sentence for people names where a service listens inside")
struct InsideAddressTests {
    @Test(
        "the service's name stands in its place, and all else stays",
        arguments: [
            ("127.0.0.1:36587: connection refused", "the places service: connection refused"),
            (
                "127.0.0.1:36587 did not answer before the deadline",
                "the places service did not answer before the deadline"
            ),
            ("the connection to [::1]:7701 is gone", "the connection to the places service is gone"),
            ("places-1.inside:7701, then places:7702.", "the places service, then the places service."),
            ("it is 10 h, see https://a.example/x", "it is 10 h, see https://a.example/x"),
            ("limit: 5, a:b, :80, 1:99999", "limit: 5, a:b, :80, 1:99999"),
        ])
    func replaced(sentence: String, expected: String) {
        #expect(InsideAddress.replaced(in: sentence, by: "the places service") == expected)
    }

    @Test("a places service that is away is called by its name")
    func vanished() async throws {
        let free = try await TestServer(Router([ScriptedPlaces()]), host: TestServer.quietHost)
        let endpoint = free.endpoint
        await free.stop()
        try await TestServer.with(Router([ScriptedAlbums()])) { photos in
            try await photos.withClient { photos in
                try await TestClient.with(endpoint) { client in
                    try await TemporaryFolder.with { folder in
                        let (clock, settings) = (ManualClock(), DatabaseSettings())
                        try await PinWorld.with(folder, client, photos, clock, [.catalog()], settings) { world in
                            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
                            let pin = try await world.passing(created.id) { $0.searches.first?.state == .retrying }
                            let warning = try #require(pin.searches.first?.warning)
                            #expect(warning.contains("the places service"))
                            #expect(!warning.contains("\(endpoint.port)"))
                        }
                    }
                }
            }
        }
    }
}
