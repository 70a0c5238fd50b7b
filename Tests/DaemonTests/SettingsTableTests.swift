import TestSupport
import TestTools
import Testing

@Suite("The tables of settings in Operations.md", .timeLimit(.minutes(3)))
struct SettingsTableTests {
    private static let page =
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Docs/Operations.md"

    @Test(
        "are what the services say",
        arguments: [
            ("common", "gateway"), ("gateway", "gateway"), ("places-service", "places-service"),
            ("pin-service", "pin-service"), ("photo-service", "photo-service"),
        ])
    func tables(name: String, program: String) async throws {
        let said = try await ProgramRun.run(program, ["--settings", name == "common" ? "common" : "own"])
        let marked = "<!-- settings: \(name) -->\n\(said.output)<!-- end of settings -->"
        #expect(try WholeFile.text(Self.page).contains(marked), "run script/settings")
    }
}
