import Testing

@Suite("Documents lead somewhere")
struct DocumentTests {
    @Test("every link to a file finds it")
    func links() {
        for file in SourceTree.files where file.path.hasSuffix(".md") {
            for target in Links.files(in: file.text) {
                let found = Links.resolve(target, from: file).map(SourceTree.exists) ?? false
                #expect(found, "\(file.path) links to \(target)")
            }
        }
    }

    @Test("a link is read as a reader's program would")
    func reading() {
        let text = "[a](B.md) [c](../D.md#e) [f](https://g.h/i) [j](#k)\n```\n[l](M.md)\n```\n"
        #expect(Links.files(in: text) == ["B.md", "../D.md"])
        let file = TextFile(path: "Docs/A.md", text: text)
        #expect(Links.resolve("../D.md", from: file) == "D.md")
        #expect(Links.resolve("B/../C.md", from: file) == "Docs/C.md")
        #expect(Links.resolve("../../etc", from: file) == nil)
    }
}
