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

    @Test(
        "a URL names a server, by any of libpq's options",
        arguments: [
            ("postgresql://ann@db:5433/waymark?sslmode=require", "postgresql://db:5433/waymark"),
            ("postgres://a,b/waymark", "postgresql://a,b/waymark"),
            ("postgresql:///waymark?service=main", "service main"),
            ("postgresql://ann@/waymark?host=/run/postgresql", "postgresql:///run/postgresql/waymark"),
        ])
    func servers(text: String, place: String) throws {
        guard case .postgres(let address) = try DatabaseAddress(text) else {
            Issue.record("it is taken for a file")
            return
        }
        #expect(address.place == place)
    }

    @Test(
        "a password in a URL is refused, and no message has it",
        arguments: [
            "postgresql://ann:secret1@db/waymark", "postgresql://db/waymark?password=secret1",
            "postgresql://ann:secret1@db/waymark?nonsense=1", "mysql://ann:secret1@db/waymark",
        ])
    func password(text: String) throws {
        let error = try #require(throws: SQLError.self) { try DatabaseAddress(text) }
        #expect(!"\(error)".contains("secret1"))
    }

    @Test(
        "anything else is refused",
        arguments: ["", "sqlite:", ":memory:", "file:b.db", "postgresql://db/waymark?nonsense=1", "a:b"])
    func refused(text: String) {
        #expect(throws: SQLError.self) { try DatabaseAddress(text) }
    }
}
