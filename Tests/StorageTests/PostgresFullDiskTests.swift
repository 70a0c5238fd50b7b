import Glibc
import TestTools
import Testing

@testable import Storage

@Suite("A PostgreSQL server whose disk is full")
struct PostgresFullDiskTests {
    @Test(
        "refuses changes with a sentence, loses nothing of those before, and takes them again once there is room",
        .enabled(if: TinyDisk.isPossible))
    func full() async throws {
        let server = try PostgresServer()
        try await TinyDisk.with(bytes: 8 << 20) { disk in
            let ballast = "\(disk)/ballast"
            try WholeFile.write([UInt8](repeating: 1, count: 5 << 20), to: ballast)
            try await Self.place(on: disk, of: server).with { database in
                var (kept, problem) = (0, SQLError?.none)
                while problem == nil {
                    problem = await Self.insert(kept + 1, in: database)
                    if problem == nil { kept += 1 }
                }
                #expect(problem?.code == .full)
                #expect(problem?.message.contains("the server's disk is full; free space there") == true)
                #expect(try await database.itemNumbers() == Array(1...Int64(kept)))
                try #require(unlink(ballast) == 0)
                #expect(await Self.insert(kept + 1, in: database) == nil)
                #expect(try await database.itemNumbers() == Array(1...Int64(kept) + 1))
            }
        }
    }

    /// A schema whose tables lie there.
    private static func place(on disk: String, of server: PostgresServer) throws -> DatabasePlace {
        let folder = "\(disk)/tables"
        try #require(mkdir(folder, 0o700) == 0)
        var facts = stat()
        try #require(stat(server.folder, &facts) == 0 && chown(folder, facts.st_uid, facts.st_gid) == 0)
        let connection = PostgresConnection(
            try PostgresAddress(server.url, schema: "public", passwordFile: nil), DatabaseSettings(), SharedClock())
        try connection.connect()
        try connection.control("CREATE TABLESPACE tiny LOCATION '\(folder)'")
        connection.close()
        let options = "&options=-c%20default_tablespace%3Dtiny"
        return DatabasePlace(address: server.url(host: server.folder, options: options), schema: "full")
    }

    /// A row that can't be made smaller, twice: its text has an index.
    private static func insert(_ id: Int, in database: Database) async -> SQLError? {
        let word = (0..<125).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
        do throws(SQLError) {
            try await database.insert(id, word)
            return nil
        } catch {
            return error
        }
    }
}
