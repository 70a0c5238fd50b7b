import Contracts
import FoundationEssentials
import Terminal
import Testing

@testable import Waymark

@Suite("P39 JSON on a terminal")
struct TerminalJSONTests {
    private static let name = "a\u{1b}[1m\u{7f}\u{80}\u{85}\u{9b}31m\u{9f}\u{a0}é\u{1F600}"
    private static let escaped = "a\\u001b[1m\\u007f\\u0080\\u0085\\u009b31m\\u009f\u{a0}é\u{1F600}"

    private struct Named: Codable, Equatable { var name: String }

    @Test("no control character stands there as it is, whatever wrote it, and its reader gets the same text")
    func escaped() throws {
        for json in [try Schemas.json(Place(name: Self.name)), try OneLineJSON.of(Named(name: Self.name))] {
            // Digits of an escape are of either case.
            #expect(json.lowercased() == "{\"name\":\"\(Self.escaped)\"}".lowercased())
            #expect(try JSONDecoder().decode(Named.self, from: Data(json.utf8)).name == Self.name)
        }
    }
}
