import Contracts
import Synchronization
import TestTools
import Testing

@testable import Waymark

@Suite("P52 P39 waymark list")
struct ListCommandTests {
    @Test("makes a list, puts pins into it by their names, shows it, changes it and deletes it")
    func lists() async throws {
        let gateway = TestGateway()
        let ids = (1...2).map { "0190163d-8694-739b-aea5-966c26f8ad9\($0)" }
        gateway.pins.state.withLock { state in
            state.pins = [Pin(id: ids[0], name: "Esplanadi"), Pin(id: ids[1], name: "Market")]
        }
        try await gateway.run { run in
            #expect(await run("list", "all").screen.lines == ["There is no list; waymark list create NAME makes one."])
            let made = await run("list", "create", "Summer 2026", "--colour", "orange")
            #expect(made.screen.lines.last?.hasPrefix("Summer 2026  orange     0") == true, "\(made.screen.lines)")
            #expect(
                await run("list", "show", "summer 2026").screen.lines
                    == ["No pin is in it; waymark list add LIST PIN adds one."])
            let added = await run("list", "add", "Summer 2026", "Esplanadi", "Market")
            #expect(added.screen.lines.first == "2 pins added.", "\(added.screen.messages)")
            #expect(await run("list", "add", "Summer 2026", ids[0]).screen.lines.first == "0 pins added.")
            let shown = await run("list", "show", "Summer 2026").screen.lines
            #expect(shown.count == 3 && shown.last?.contains(ids[1]) == true, "\(shown)")
            let ofPin = await run("list", "all", "Market").screen.lines
            #expect(ofPin.count == 2)
            #expect(await run("list", "remove", "Summer 2026", "Market").screen.lines.first == "1 pin taken out.")
            #expect(await run("list", "all", "Market").screen.lines == ["The pin is in no list."])
            let renamed = await run("list", "rename", "Summer 2026", "Summer 2027")
            #expect(renamed.screen.lines.last?.hasPrefix("Summer 2027") == true)
            let coloured = await run("list", "colour", "Summer 2027", "teal")
            #expect(coloured.screen.lines.last?.contains("teal") == true)
            let deleted = await run("list", "delete", "Summer 2027").screen.lines
            #expect(deleted == ["Summer 2027 is deleted. Its pins are still there: 1."])
        }
    }

    @Test("an unknown list, two of one name and a colour that is none are refused with what helps")
    func refusals() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("list", "show", "Winter")
            #expect(code.rawValue == 15 && screen.messages.contains("waymark list all shows your lists"))
            for _ in 0..<2 { _ = await run("list", "create", "Cafes") }
            let (twice, several) = await run("list", "show", "Cafes")
            #expect(twice == .usage && several.messages.contains("LIST Cafes may be 2 lists, give more of an id"))
            let (colour, wrong) = await run("list", "create", "Cafes", "--colour", "mauve")
            #expect(colour == .usage && wrong.messages.contains("--colour is mauve, allowed are red, orange, yellow"))
        }
    }

    @Test("`waymark list` alone still asks for the methods of the target")
    func methods() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("list", "ListService")
            // This gateway tells none; it was asked for them.
            #expect(code != .usage && screen.messages.contains("ReflectionService/ListServices"))
        }
    }
}
