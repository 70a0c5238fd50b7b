import Testing

@Suite("Comments and documents use plain words")
struct WordTests {
    @Test("no word of the project's old dialect is left", arguments: UnclearWord.all)
    func words(unclear: UnclearWord) {
        for prose in Prose.all {
            for line in unclear.lines(in: prose) {
                Issue.record("\(prose.path):\(line): \(unclear.word): write \(unclear.instead)")
            }
        }
    }

    @Test("a word is seen in comments and documents, and not in code or as a part of another word")
    func seen() {
        let word = UnclearWord("told", "")
        func lines(_ path: String, _ text: String) -> [Int] {
            word.lines(in: Prose(TextFile(path: path, text: text)))
        }
        let swift =
            "/// Told at once.\nlet told = 1\nf(\"told\", \"a://b\", told) // not untold\n"
            + "f(\"a://b\") // é: told\n// `told` and is_told are names.\n"
        #expect(lines("A.swift", swift) == [1, 4])
        #expect(lines("a.proto", "// Everything was told.\n// Everything was sent.\n") == [1])
        #expect(lines("A.md", "It is told.\nA name is `told`.\n```\ntold\n```\nIt was told.\n") == [1, 6])
    }

    @Test("the files that are read by people are checked, and generated ones are not")
    func places() {
        let paths = Set(Prose.all.map(\.path))
        let wanted = [
            "README.md", "Docs/Protocol.md", "Protos/waymark/rpc/v1/stats.proto", "Web/modules/ground/words.js",
        ]
        for path in wanted {
            #expect(paths.contains(path))
        }
        #expect(!paths.contains { $0.contains("/Generated/") || $0.hasPrefix("Tests/") })
    }
}
