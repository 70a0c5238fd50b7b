import Contracts
import Synchronization
import Testing

@testable import Waymark

@Suite("P14 P39 waymark discover and networks")
struct LiveCommandTests {
    @Test("discover passes every flag on, and shows what came of each network")
    func discover() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            let (code, screen) = await run(
                "discover", "60.1", "-24.9", "--radius", "500", "--network", "openstreetmap", "--network", "foursquare",
                "--force")
            #expect(code == .success)
            #expect(
                screen.lines == [
                    "NETWORK        RESULT  PLACES  REQUESTS   TIME  REMARK",
                    "openstreetmap  ok       1,234         2  87 ms",
                    "foursquare     quota        0         0  87 ms  slow down; again in 7 s",
                ])
        }
        let centre = Coordinate(latitude: 60.1, longitude: -24.9)
        #expect(
            gateway.places.state.withLock { $0.discovered } == [
                DiscoverRequest(centre: centre, radiusM: 500, networks: ["openstreetmap", "foursquare"], force: true)
            ])
    }

    @Test("networks shows which are on, and what turns the others on")
    func networks() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("networks")
            #expect(code == .success)
            #expect(
                screen.lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
                    == [
                        "NETWORK STATE GIVES TURNED ON BY", "catalog on places",
                        "foursquare off places places-service --foursquare-key KEY",
                    ])
        }
    }
}
