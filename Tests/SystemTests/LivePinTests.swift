import Contracts
import EventLoops
import FoundationEssentials
import Glibc
import HTTP
import RPC
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite("P3 P4 P14 A pin of a whole system", .timeLimit(.minutes(2)))
struct LivePinTests {
    private struct Ready: Decodable {
        let gateway: String
    }

    /// What an Overpass server answers, whatever it is asked: two places near the point 60, 25 and one 3 km away.
    private static let answer = #"""
        {"version":0.6,"elements":[
        {"type":"node","id":1,"lat":60.0001,"lon":25,"tags":{"name":"Near","amenity":"cafe"}},
        {"type":"way","id":2,"center":{"lat":60.0002,"lon":25},"tags":{"name":"Next","shop":"tea"}},
        {"type":"node","id":3,"lat":60.03,"lon":25,"tags":{"name":"Far","amenity":"cafe"}}]}
        """#

    @Test("turns green with the places of a live network that lie within its radius")
    func green() async throws {
        let folder = TemporaryFolder()
        try await HTTPFixture.with { _ in
            HTTPResponse(200, body: .bytes(Array(Self.answer.utf8)))
        } _: { fixture, url in
            let up = try ProgramRun(
                "waymark", ["up", "--json", "--data", folder.path, "--port", "0", "--http-port", "0"],
                environment: [
                    "WAYMARK_BUNDLED": "none", "WAYMARK_OPENSTREETMAP_URL": url, "WAYMARK_CONTACT": "test@example.org",
                    "WAYMARK_FIRST_NETWORKS": "all",
                ])
            defer { up.send(signal: SIGTERM) }
            let ready = try JSONDecoder().decode(Ready.self, from: Data(try await up.line().utf8))
            try await TestClient.with(try #require(Endpoint(ready.gateway))) { client in
                let pins = PinServiceClient(client)
                let options = CallOptions(timeout: .seconds(60))
                let position = Coordinate(latitude: 60, longitude: 25)
                let made = try await pins.createPin(
                    CreatePinRequest(position: position, radiusM: 1_000, name: "here"), options)
                let id = try #require(made.pin?.id)
                for try await news in pins.watchPin(WatchPinRequest(id: id), options) where news.pin?.state == .ready {
                    break
                }
                let places = try await pins.listPinPlaces(ListPinPlacesRequest(id: id), options).places
                #expect(places.map(\.id) == ["openstreetmap/node/1", "openstreetmap/way/2"])
                #expect(places.map(\.name) == ["Near", "Next"])
            }
            #expect(fixture.requests.count == 1)
            #expect(fixture.requests.first?.headers["user-agent"]?.contains("test@example.org") == true)
            up.send(signal: SIGTERM)
            #expect(try await up.end().code == 0)
        }
    }
}
