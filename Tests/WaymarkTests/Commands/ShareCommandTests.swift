import TestTools
import Testing

@testable import Waymark

@Suite("P49 P39 waymark share")
struct ShareCommandTests {
    @Test("makes a link, lists it, and ends it")
    func share() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("swordfish\n", to: "password")
        try await TestGateway().run { run in
            #expect(await run("share", "list").screen.lines == ["You have no link."])
            let made = await run(
                "share", "create", "0190163d-8694-739b-aea5-966c26f8ad91", "--life", "30d", "--password-file",
                file)
            #expect(made.screen.lines.first == "/s/secret", "\(made.screen.messages)")
            let listed = await run("share", "list").screen.lines
            #expect(listed.last?.hasPrefix("s1  Esplanadi  /s/secret  pin    yes") == true, "\(listed)")
            _ = await run("list", "create", "Summer")
            #expect(await run("share", "create", "--list", "summer").screen.lines.first == "/s/secret")
            let both = await run("share", "list").screen.lines
            #expect(both.last?.hasPrefix("s2  Summer     /s/secret  list   no") == true, "\(both)")
            let pin = "0190163d-8694-739b-aea5-966c26f8ad91"
            #expect(await run("share", "create", pin, "--album").screen.lines.first == "/s/secret")
            let three = await run("share", "list").screen.lines
            #expect(three.last?.hasPrefix("s3  Esplanadi  /s/secret  album  no") == true, "\(three)")
            #expect(await run("share", "create", "--list", "winter").code.rawValue == 15)
            #expect(await run("share", "end", "s1").screen.lines == ["The link has ended."])
            #expect(await run("share", "end", "s1").screen.lines == ["You have no such link."])
        }
    }
}
