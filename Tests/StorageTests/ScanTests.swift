import CSQLite
import TestTools
import Testing

@testable import Storage

@Suite("Scan")
struct ScanTests {
    @Test("A table that is read whole has all its rows, and its pages do not stay in memory; later reads' pages do")
    func pages() async throws {
        try await TemporaryFolder.with { directory in
            let connection = try SQLiteConnection(
                path: "\(directory)/a.db", role: .writer, settings: DatabaseSettings())
            try connection.begin(.write)
            try connection.execute("CREATE TABLE pages (id BIGINT PRIMARY KEY, content BYTEA NOT NULL)", [])
            for id in 0..<1_000 {
                try connection.execute(
                    "INSERT INTO pages VALUES (?1, ?2)", [Int64(id), [UInt8](repeating: 7, count: 4_096)])
            }
            try connection.commit()

            try connection.begin(.read)
            let transaction = Transaction(connection)
            var ids: [Int64] = []
            try transaction.scan("SELECT id, content FROM pages ORDER BY rowid") { row throws(SQLError) in
                ids.append(try row.integer(0))
            }
            #expect(ids == Array(0..<1_000))
            #expect(cachedBytes(connection) < 1 << 20)

            try transaction.forEach("SELECT id, content FROM pages ORDER BY rowid") { _ throws(SQLError) in }
            #expect(cachedBytes(connection) > 3 << 20)
        }
    }

    private func cachedBytes(_ connection: SQLiteConnection) -> Int {
        unsafe connection.handle.withHandle { handle in
            var (now, most): (Int32, Int32) = (0, 0)
            unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0)
            return Int(now)
        }
    }
}
