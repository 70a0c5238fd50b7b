import Testing

@Suite("Swift code without its texts")
struct SwiftCodeTests {
    @Test(
        "keeps code, blanks comments and literals",
        arguments: [
            ("let a = 1 // try!", "let a = 1        "),
            ("a /* b /* c */ d */ e", "a                   e"),
            (#"f("as!") + g"#, #"f(     ) + g"#),
            (#"f("\"as!") + g"#, #"f(       ) + g"#),
            (#"f("\(h(")"))x") + g"#, #"f(            ) + g"#),
            ("f(#\"\\\"#) + g", "f(     ) + g"),
            ("x = \"\"\"\n  import Wire\n  \"\"\" + y", "x =    \n             \n      + y"),
        ])
    func blanks(source: String, code: String) {
        #expect(SwiftCode(source).text == code)
    }

    @Test("keeps every line where it was")
    func lines() {
        for file in SourceTree.swift {
            #expect(file.code.count == file.lines.count, "\(file.path)")
        }
    }
}
