import Storage
import TestTools
import Testing

/// What keeps the data.
enum Engine: CaseIterable {
    case sqlite, postgres
}

/// A place for one database, which can be opened several times, by several "replicas", and is removed afterwards.
struct DatabasePlace {
    let address: String
    let schema: String
    /// Some tests hold the writer or the reader, and so there is one of each.
    var connections: Int? = 2

    static func with<Value>(_ engine: Engine, _ body: (DatabasePlace) async throws -> Value) async throws -> Value {
        switch engine {
        case .sqlite:
            try await TemporaryFolder.with { try await body(DatabasePlace(address: "\($0)/test.db", schema: "")) }
        case .postgres:
            try await body(
                DatabasePlace(
                    address: try PostgresServer.shared.get().url, schema: "test_\(UInt64.random(in: 0 ... .max))"))
        }
    }

    func open(
        _ migrations: [Migration] = [items], settings: DatabaseSettings = DatabaseSettings()
    ) async throws(SQLError) -> Database {
        var settings = settings
        settings.schema = schema
        if let connections { settings.connections = connections }
        return try await Database.open(address, migrations: migrations, settings: settings)
    }

    /// Opens it for `body`, and closes it afterwards.
    func with<Value>(
        _ migrations: [Migration] = [items], settings: DatabaseSettings = DatabaseSettings(),
        _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let database = try await open(migrations, settings: settings)
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

/// A real database in a place of its own, closed and removed afterwards.
func withDatabase<Value>(
    _ engine: Engine = .sqlite, _ migrations: [Migration] = [items], settings: DatabaseSettings = DatabaseSettings(),
    _ body: (Database) async throws -> Value
) async throws -> Value {
    try await DatabasePlace.with(engine) { try await $0.with(migrations, settings: settings, body) }
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
