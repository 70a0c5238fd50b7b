import Testing

@testable import Arguments
@testable import Waymark

@Suite("Spelling")
struct SpellingTests {
    @Test(
        "counts added, removed, changed and swapped letters",
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "ab", 2), ("nearby", "nearby", 0), ("nerby", "nearby", 1),
            ("raduis", "radius", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ])
    func edits(left: String, right: String, edits: Int) {
        #expect(Spelling.edits(left, right) == edits)
        #expect(Spelling.edits(right, left) == edits)
    }

    @Test("suggests the nearest word, and nothing when none is near")
    func suggestions() {
        let words = ["nearby", "explore", "reverse"]
        #expect(Spelling.suggestion(for: "Explroe", among: words) == "; did you mean explore?")
        #expect(Spelling.suggestion(for: "xyz", among: words) == "")
        #expect(Spelling.suggestion(for: "nearby", among: []) == "")
    }
}
