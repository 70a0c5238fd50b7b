import Testing

@Suite("Text from outside is judged by bytes and scalars")
struct CharacterTests {
    @Test("no code compares Characters")
    func sources() {
        for file in SourceTree.sources {
            for line in CharacterRule.lines(in: file) {
                Issue.record(
                    "\(file.path):\(line): this compares Characters; take utf8, unicodeScalars or Bytes/ScalarText.swift"
                )
            }
        }
    }

    @Test("each exception is still needed")
    func needed() {
        for (path, _) in CharacterRule.allowed {
            #expect(SourceTree.sources.contains { $0.path.hasPrefix(path) }, "\(path) is not there")
        }
    }

    @Test(
        "a comparison is seen in whatever way it is written",
        arguments: [
            #"a.hasPrefix("x")"#, #"if a.contains("@") {"#, #"a.replacing("<", with: "&lt;")"#,
            #"a.split(separator: "/")"#,
            #"a.split(whereSeparator: \.isNewline)"#, #"a.firstIndex(of: ":")"#, #"a.last == "\n""#,
            #"a.filter { $0 != " " }"#,
            #"a.drop(while: \.isWhitespace)"#, #"a.allSatisfy { $0.isLetter }"#, #""+-".contains(a)"#,
            "let a: Character = b",
            "for character in text {", "switch text.first {\ncase \"<\": 1", #"a.firstRange(of: "-->")"#,
        ])
    func seen(code: String) {
        #expect(!CharacterRule.lines(in: TextFile(path: "Sources/A.swift", text: code)).isEmpty)
    }

    @Test(
        "bytes, scalars, names and comments are left alone",
        arguments: [
            #"a.begins(with: "x")"#, #"a.utf8.contains("@".utf8)"#, #"a.unicodeScalars.contains("@")"#,
            #"a.split(at: "/")"#,
            #"a.unicodeScalars.firstIndex(of: ":")"#, #"a.unicodeScalars.last == "\n""#,
            "a.split(atScalars: \\.isWhitespace)",
            #"names.contains { $0 == "name" }"#, "scalar.properties.isLowercase", "if Self.isNumber(a) {",
            "switch scalar {\ncase \"<\": 1", "switch name {\ncase \"file\": 1", "// a.hasPrefix(\"x\")",
        ])
    func unseen(code: String) {
        #expect(CharacterRule.lines(in: TextFile(path: "Sources/A.swift", text: code)).isEmpty)
    }
}
