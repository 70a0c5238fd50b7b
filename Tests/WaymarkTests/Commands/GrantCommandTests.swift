import TestTools
import Testing

@testable import Waymark

@Suite("P49 P39 waymark share with, and waymark shared")
struct GrantCommandTests {
    private static let pin = "0190163d-8694-739b-aea5-966c26f8ad91"

    @Test("shares with an account, lists with whom, and ends it")
    func owner() async throws {
        try await TestGateway().run { run in
            #expect(await run("share", "accounts").screen.lines == ["You share nothing with an account."])
            let made = await run("share", "with", "ben@example.org", Self.pin, "--add-photos")
            #expect(
                made.screen.lines == ["Esplanadi is shared with ben@example.org, if there is such an account."],
                "\(made.screen.messages)")
            let listed = await run("share", "accounts").screen.lines
            #expect(listed.last == "g1  Esplanadi  ben@example.org  add photos", "\(listed)")
            _ = await run("list", "create", "Summer")
            _ = await run("share", "with", "zoe@example.org", "--list", "summer")
            #expect(await run("share", "accounts").screen.lines.last?.hasPrefix("g2  Summer") == true)
            #expect(await run("share", "with").code.rawValue == 2)
            #expect(await run("share", "revoke", "g1").screen.lines == ["It is no more shared."])
            #expect(await run("share", "revoke", "g1").screen.lines == ["You share nothing by this id."])
        }
    }

    @Test("shows what is shared, in lines and in JSON, and takes it off the list")
    func guest() async throws {
        try await TestGateway().run { run in
            #expect(await run("shared").screen.lines == ["Nothing is shared with you."])
            _ = await run("share", "with", "ben@example.org", Self.pin)
            let listed = await run("shared").screen.lines
            #expect(listed.last == "g1  Esplanadi  Ann Tester  look", "\(listed)")
            let json = await run("shared", "--json").screen.lines.joined()
            #expect(json.contains(#""ownerName":"Ann Tester""#), "\(json)")
            let shown = await run("shared", "show", "g1").screen.lines
            #expect(
                shown == [
                    "Esplanadi, shared by Ann Tester", "60.1675, 24.943", "| quiet", "  Kappeli  80 m",
                    "1 place, 0 photos",
                ], "\(shown)")
            #expect(await run("shared", "leave", "g1").screen.lines == ["It is off your list."])
            #expect(await run("shared", "leave", "g1").screen.lines == ["Nothing by this id is shared with you."])
            #expect(await run("shared", "add", "g1", "/nowhere.jpg").code.rawValue == 1)
        }
    }
}
