import Testing

@testable import Waymark

@Suite("P33 P39 waymark post")
struct PostCommandTests {
    @Test("puts one on the map, shows it, and takes it off")
    func post() async throws {
        try await TestGateway().run { run in
            #expect(await run("post", "list").screen.lines == ["There is no post."])
            let (_, added) = await run("post", "add", "60.17,24.94", "Helsinki, Finland", "example.org/me")
            #expect(added.lines.last?.hasPrefix("Ann Smith  Helsinki, Finland  example.org/me") == true)
            let again = await run("post", "add", "60.17", "24.94", "Helsinki", "example.org")
            #expect(again.code.rawValue == 16 && again.screen.messages.contains("ALREADY_EXISTS: overwrite"))
            let over = await run("post", "add", "60.17", "24.94", "Helsinki", "example.org", "--overwrite")
            #expect(over.code == .success)
            #expect(await run("post", "near", "60", "25").screen.lines.last?.hasPrefix("Ann Smith  Helsinki") == true)
            #expect(await run("post", "near", "60", "25", "--radius", "5").screen.lines == ["There is no post."])
            #expect(await run("admin", "remove-post", "p1").screen.lines == ["The post is deleted."])
            #expect(await run("admin", "remove-post", "p2").screen.lines == ["There is no such post."])
            #expect(await run("post", "rm").screen.lines == ["Your post is deleted."])
            #expect(await run("post", "rm").screen.lines == ["You have no post."])
        }
    }
}
