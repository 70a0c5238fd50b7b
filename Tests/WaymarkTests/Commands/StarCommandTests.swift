import TestTools
import Testing

@testable import Waymark

@Suite("P52 P39 waymark star")
struct StarCommandTests {
    @Test("gives a star, lists it, and takes it away")
    func stars() async throws {
        try await TestGateway().run { run in
            #expect(
                await run("star", "list").screen.lines
                    == ["No place has a star; waymark star add PLACE LAT LON gives one."])
            let given = await run(
                "star", "add", "mine/1", "60.5", "-25", "--name", "Ekberg", "--category", "amenity/cafe", "--where",
                "Esplanadi")
            #expect(given.screen.lines == ["Ekberg has a star now."], "\(given.screen.messages)")
            let listed = await run("star", "list").screen.lines
            #expect(listed.last == "Ekberg  amenity/cafe  Esplanadi  60.5, -25  mine/1", "\(listed)")
            #expect(await run("star", "remove", "mine/1").screen.lines == ["The place has no star any more."])
            #expect(await run("star", "remove", "mine/1").screen.lines == ["The place had no star."])
        }
    }

    @Test("a place that is given by its id is looked up where it is; one that is not there is said")
    func known() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("star", "add", "catalog/none/1", "60.5", "-25")
            #expect(code.rawValue == 15 && screen.messages.contains("no place catalog/none/1 is there"))
            #expect(await run("star", "list").screen.lines.first?.hasPrefix("No place has a star") == true)
        }
    }
}
