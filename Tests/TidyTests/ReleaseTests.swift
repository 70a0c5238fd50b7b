import Testing

@Suite("The version is said once")
struct ReleaseTests {
    @Test("CHANGELOG.md begins with it")
    func changelog() throws {
        let code = try #require(SourceTree.files.first { $0.path.hasSuffix("/Release.swift") })
        let version = try #require(code.text.firstMatch(of: /version = "(.*)"/)?.1)
        let changes = try #require(SourceTree.files.first { $0.path == "CHANGELOG.md" })
        #expect(changes.lines.first { $0.hasPrefix("## ") } == "## \(version)")
    }
}
