import Contracts
import RPC
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

    @Test("networks lists those of both services: which are on, what is left today, and what switches the others on")
    func networks() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("networks")
            #expect(code == .success)
            #expect(
                screen.lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
                    == [
                        "NETWORK GIVES STATE LEFT TODAY REMARK", "catalog places on",
                        "openstreetmap places on 4,988 of 5,000",
                        "instagram places not available needs places-service --instagram-url URL",
                        "foursquare places off 100 of 100 networks on foursquare",
                        "commons photos off 9 of 9 networks on commons --contact ADDRESS",
                        "foursquare photos paused 0 of 100 until 2023-11-14 22:13:20 UTC: today's 100 requests are used up",
                        "", NetworkTable.never,
                    ])
            let (_, json) = await run("networks", "--json")
            let list = try #require(json.lines.first)
            #expect(list.contains(#""pauseReason":"today's 100 requests are used up""#))
        }
    }

    @Test("networks on and off switch a network at each service that has it, and say what it learns")
    func switching() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            let on = await run("networks", "on", "foursquare", "--contact", "me@example.org")
            #expect(on.code == .success)
            #expect(
                on.screen.lines == [
                    "foursquare is asked for places now. It learns squares.",
                    "foursquare is asked for photos now. It learns more squares.", NetworkTable.never,
                ])
            let off = await run("networks", "off", "openstreetmap")
            #expect(off.code == .success)
            #expect(off.screen.lines == ["openstreetmap is asked for no more places."])
        }
        #expect(
            gateway.places.state.withLock { $0.switched } == [
                SwitchNetworkRequest(network: "foursquare", on: true, contact: "me@example.org"),
                SwitchNetworkRequest(network: "openstreetmap"),
            ])
        #expect(
            gateway.photoNetworks.switched.withLock { $0 } == [
                SwitchPhotoNetworkRequest(network: "foursquare", on: true, contact: "me@example.org")
            ])
    }

    @Test("a network that is not there is refused with those that are, one without its key with what it needs")
    func refused() async throws {
        try await TestGateway().run { run in
            let unknown = await run("networks", "on", "flickrr")
            #expect(unknown.code == .usage)
            #expect(unknown.screen.messages.contains("commons, foursquare, instagram, openstreetmap"))
            let catalog = await run("networks", "off", "catalog")
            #expect(catalog.code == .usage)
            let keyless = await run("networks", "on", "instagram")
            #expect(keyless.code == ExitCode(RPCError(.failedPrecondition, "")))
            #expect(keyless.screen.messages.contains("--instagram-url URL"))
            let stranger = await run("networks", "on", "commons")
            #expect(stranger.code == ExitCode(RPCError(.failedPrecondition, "")))
            #expect(stranger.screen.messages.contains("contact"))
        }
    }
}
