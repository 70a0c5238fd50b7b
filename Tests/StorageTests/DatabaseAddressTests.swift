import Testing

@testable import Storage

@Suite("Database address")
struct DatabaseAddressTests {
    @Test(
        "a path or a URL names a file",
        arguments: [
            ("/a/b.db", "/a/b.db"), ("b.db", "b.db"), ("sqlite:/a/b.db", "/a/b.db"), ("sqlite:///a/b.db", "/a/b.db"),
            ("sqlite:b.db", "b.db"), ("./a:b", "./a:b"), ("/a:b/c", "/a:b/c"),
        ])
    func files(text: String, path: String) throws {
        #expect(try DatabaseAddress(text) == .sqlite(path: path))
    }

    @Test("anything else is refused", arguments: ["", "sqlite:", ":memory:", "file:b.db", "postgres://h/d", "a:b"])
    func refused(text: String) {
        #expect(throws: SQLError.self) { try DatabaseAddress(text) }
    }
}
