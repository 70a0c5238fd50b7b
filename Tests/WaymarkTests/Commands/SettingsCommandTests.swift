import Testing

@testable import Waymark

@Suite("P34 P39 waymark settings")
struct SettingsCommandTests {
    @Test("shows what is chosen, and changes it")
    func settings() async throws {
        try await TestGateway().run { run in
            let first = await run("settings").screen.lines
            #expect(
                first == [
                    "Networks    none yet; `waymark settings set --enable all` enables all",
                    "Units       as is usual where you are", "Language    the reader's",
                    "Start       where the map was left",
                ])
            let set = await run(
                "settings", "set", "--enable", "commons,catalog", "--units", "imperial", "--language", "fi",
                "--start-view", "pins")
            #expect(
                set.screen.lines == [
                    "Networks    catalog, commons", "Units       imperial", "Language    fi",
                    "Start       all your pins",
                ])
            let less = await run("settings", "set", "--disable", "commons", "--language", "")
            #expect(
                less.screen.lines.prefix(3) == [
                    "Networks    catalog", "Units       imperial", "Language    the reader's",
                ])
        }
    }

    @Test("enables all that the server can ask")
    func all() async throws {
        try await TestGateway().run { run in
            let networks = await run("settings", "set", "--enable", "all").screen.lines.first ?? ""
            #expect(networks.contains("catalog") && networks.contains("commons"))
        }
    }

    @Test("refuses words that it does not know")
    func unknown() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("settings", "set", "--units", "furlongs")
            #expect(code.rawValue == 2)
            #expect(screen.messages.contains("--units is furlongs; it may be local, metric, imperial"))
        }
    }
}
