import Bytes
import TestTools
import Testing

@Suite("Texts from outside that take no longer to compare than they are long")
struct StreamSafeTests {
    /// In each, all marks are of one letter, in the order that takes longest to sort.
    private static func letter(marks: Int) -> String {
        "a" + String(repeating: "\u{315}", count: marks / 2) + String(repeating: "\u{334}", count: marks - marks / 2)
    }

    @Test(
        "a text with at most 30 marks in a row stays as it is",
        arguments: [
            "", "Café", "Kauppatori", String(repeating: "東京", count: 500), letter(marks: 30),
            String(repeating: letter(marks: 30), count: 100), String(repeating: "é", count: 1_000),
            String(repeating: "\u{1161}", count: 100),
        ])
    func usual(text: String) {
        #expect(text.streamSafe.utf8.elementsEqual(text.utf8))
    }

    @Test("a joiner follows every 30 marks in a row, and nothing else is changed", arguments: [31, 60, 61, 5_000])
    func long(marks: Int) {
        let text = "x" + Self.letter(marks: marks) + "東"
        let safe = text.streamSafe
        let joiners = safe.unicodeScalars.count { $0 == "\u{34F}" }
        #expect(joiners == (marks - 1) / 30)
        #expect(
            String(String.UnicodeScalarView(safe.unicodeScalars.filter { $0 != "\u{34F}" })).utf8.elementsEqual(
                text.utf8))
        #expect(safe.streamSafe.utf8.elementsEqual(safe.utf8))
    }

    @Test("marks are found wherever they begin", arguments: 0..<130)
    func anywhere(before: Int) {
        let text = String(repeating: "x", count: before) + Self.letter(marks: 31) + "y"
        #expect(text.streamSafe.unicodeScalars.count { $0 == "\u{34F}" } == 1)
    }

    @Test("texts of megabytes are compared and hashed: without joiners this would take hours")
    func huge() {
        let text = Self.letter(marks: 1_000_000).streamSafe
        #expect(Set([text]).contains(Self.letter(marks: 1_000_000).streamSafe))
        #expect(text != "osm")
    }
}
