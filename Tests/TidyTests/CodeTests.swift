import Testing

@Suite("Code keeps the house rules")
struct CodeTests {
    @Test("holds no banned word", arguments: BannedWord.all)
    func words(banned: BannedWord) {
        for file in banned.files {
            for line in banned.lines(in: file) {
                Issue.record("\(file.path):\(line): \(banned.word): \(banned.reason)")
            }
        }
    }

    @Test("what the compiler is asked to believe has its proof in a comment beside it")
    func proofs() {
        for file in SourceTree.sources {
            for line in Proof.missing(in: file) {
                Issue.record(
                    "\(file.path):\(line): no comment within \(Proof.reach) lines says why this is safe")
            }
        }
    }

    @Test("a banned word is seen where it stands by itself, and nowhere else")
    func seen() {
        let file = TextFile(
            path: "A.swift",
            text: "let a = try! b()\n// try!\nlet c = d as! E\nclass F { public var g = 1 }\nlet republic = 1")
        func lines(_ word: String) -> [Int] { BannedWord(word, "").lines(in: file) }
        #expect(lines("try!") == [1])
        #expect(lines("as!") == [3])
        #expect(lines("public") == [4])
    }

    @Test("a missing proof is seen")
    func proof() {
        let far = String(repeating: "let x = 1\n", count: 5)
        let bare = "struct A: @unchecked Sendable {}\n"
        func missing(_ text: String) -> [Int] {
            Proof.missing(in: TextFile(path: "A.swift", text: text))
        }
        #expect(missing("// why\n" + far + bare + far) == [7])
        #expect(missing("// why\n" + bare).isEmpty)
        #expect(missing("nonisolated(unsafe) var a = 1 // why\n").isEmpty)
    }
}
