import Testing

/// Docs/Flows.md numbers what a person does on the map: `- **F3** (built) …`. A browser test names its flow by how its
/// own name begins: `def test_f03_…`.
@Suite("P38 Each flow that is built is gone through in a browser")
struct FlowTests {
    @Test("a built flow has a test, and a test has a built flow")
    func pairs() {
        let built = Set(SourceTree.files.filter { $0.path == "Docs/Flows.md" }.flatMap(Self.builtFlows))
        let tested = Set(SourceTree.files.filter { $0.path.hasPrefix("Tests/BrowserTests/") }.flatMap(Self.testedFlows))
        #expect(!built.isEmpty)
        #expect(built.subtracting(tested).sorted() == [], "built, but without a test")
        #expect(tested.subtracting(built).sorted() == [], "tested, but not marked as built")
    }

    @Test("every line of a flow says whether it is built, and no number is there twice")
    func marks() {
        for file in SourceTree.files where file.path == "Docs/Flows.md" {
            let flows = file.lines.filter { $0.hasPrefix("- **F") }
            #expect(flows.allSatisfy { $0.contains("** (built) ") || $0.contains("** (not built) ") })
            let numbers = flows.compactMap { Self.number(behind: "- **F", in: $0) }
            #expect(numbers.count == flows.count)
            #expect(Set(numbers).count == numbers.count)
        }
    }

    @Test("numbers are read as they are written")
    func reading() {
        let lines = "- **F3** (built) A\n- **F12** (not built) B\n**F4** (built)\n"
        let flows = TextFile(path: "Docs/Flows.md", text: lines)
        #expect(Self.builtFlows(in: flows) == [3])
        let tests = TextFile(path: "a.py", text: "def test_f03_a(x):\n    def test_f04_b\ndef test_photo():\n")
        #expect(Self.testedFlows(in: tests) == [3])
    }

    private static func builtFlows(in file: TextFile) -> [Int] {
        file.lines.filter { $0.contains("** (built) ") }.compactMap { number(behind: "- **F", in: $0) }
    }

    private static func testedFlows(in file: TextFile) -> [Int] {
        file.lines.compactMap { number(behind: "def test_f", in: $0) }
    }

    /// Nil when the line does not begin with the word, or no digit follows it.
    private static func number(behind word: String, in line: Substring) -> Int? {
        guard line.hasPrefix(word) else { return nil }
        return Int(line.dropFirst(word.count).prefix { $0.isASCII && $0.isNumber })
    }
}
