import Glibc
import Storage
import TestTools
import Testing

@Suite("E10 a database file without a byte")
struct FirstOpeningTests {
    @Test("is refused once it has held something, with what to do")
    func emptied() async throws {
        try await TemporaryFolder.with { folder in
            let path = "\(folder)/a.db"
            let database = try await Database.open(path, migrations: [items])
            try await database.insert(1)
            await database.close()
            #expect(TemporaryFolder.names(in: folder) == ["a.db"], "nothing tells of the first opening any more")
            #expect(truncate(path, 0) == 0)
            let error = await #expect(throws: SQLError.self) { try await Database.open(path, migrations: [items]) }
            #expect("\(String(describing: error))".contains("0 bytes"), "\(String(describing: error))")
            unlink(path)
            await (try Database.open(path, migrations: [items])).close()
        }
    }

    @Test("is taken for one that was killed while it was made, when it is one")
    func killed() async throws {
        try await TemporaryFolder.with { folder in
            for name in ["a.db", "a.db.making"] { try WholeFile.write([], to: "\(folder)/\(name)") }
            let database = try await Database.open("\(folder)/a.db", migrations: [items])
            #expect(try await database.itemCount() == 0)
            await database.close()
            #expect(TemporaryFolder.names(in: folder) == ["a.db"])
        }
    }
}
