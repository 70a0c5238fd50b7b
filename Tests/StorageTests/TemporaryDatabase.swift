import Storage
import TestTools
import Testing

/// A real database in a directory of its own, closed and removed afterwards.
func withDatabase<Value>(
    _ migrations: [Migration] = [items], settings: DatabaseSettings = DatabaseSettings(),
    _ body: (Database) async throws -> Value
) async throws -> Value {
    try await TemporaryFolder.with { directory in
        let database = try await Database.open("\(directory)/test.db", migrations: migrations, settings: settings)
        do {
            let value = try await body(database)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }
}

/// A table of numbers and words, for tests about anything else.
let items = Migration("0001 items", "CREATE TABLE items (id BIGINT PRIMARY KEY, word TEXT UNIQUE)")

extension Database {
    func insert(_ id: Int, _ word: String? = nil, deadline: ContinuousClock.Instant? = nil) async throws(SQLError) {
        _ = try await write(deadline: deadline) { transaction throws(SQLError) in
            try transaction.execute("INSERT INTO items (id, word) VALUES (?1, ?2)", id, word)
        }
    }

    func itemCount() async throws(SQLError) -> Int64? {
        try await read { transaction throws(SQLError) in
            try transaction.first("SELECT count(*) FROM items") { row throws(SQLError) in try row.integer(0) }
        }
    }

    /// The numbers of all items in order.
    func itemNumbers() async throws(SQLError) -> [Int64] {
        try await read { transaction throws(SQLError) in
            try transaction.rows("SELECT id FROM items ORDER BY id") { row throws(SQLError) in try row.integer(0) }
        }
    }
}

/// The code of the error that `body` throws, or nil when it throws none.
func code(_ body: () async throws(SQLError) -> Void) async -> SQLError.Code? {
    do throws(SQLError) {
        try await body()
        return nil
    } catch {
        return error.code
    }
}
