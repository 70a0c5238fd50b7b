import Storage
import Testing

@Suite("Values of the common dialect")
struct ValueTests {
    private static let table = Migration(
        "0001 kinds",
        """
        CREATE TABLE kinds (
            id BIGINT PRIMARY KEY, whole BIGINT, real DOUBLE PRECISION, words TEXT, flag BOOLEAN, bytes BYTEA);
        """)

    @Test("integers come back unchanged", arguments: Engine.allCases, [0, 1, -1, .max, .min] as [Int64])
    func integers(engine: Engine, value: Int64) async throws {
        #expect(try await roundTrip(engine, value, "whole") { row throws(SQLError) in try row.integer(0) } == value)
    }

    @Test(
        "doubles come back unchanged, whole ones too",
        arguments: Engine.allCases,
        [0, 3, -0.1, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func doubles(engine: Engine, value: Double) async throws {
        #expect(try await roundTrip(engine, value, "real") { row throws(SQLError) in try row.double(0) } == value)
    }

    @Test("text comes back unchanged", arguments: Engine.allCases, ["", "a", "12", "👩‍👩‍👧‍👦 ø ł", "'; DROP TABLE kinds; --"])
    func texts(engine: Engine, value: String) async throws {
        let back = try await roundTrip(engine, value, "words") { row throws(SQLError) in try row.text(0) }
        #expect(back.map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test("text with a zero byte comes back unchanged from SQLite, and PostgreSQL, which can't keep it, refuses it")
    func zeroByte() async throws {
        let back = try await roundTrip(.sqlite, "x\0y\0", "words") { row throws(SQLError) in try row.text(0) }
        #expect(back == "x\0y\0")
        await #expect(throws: SQLError.self) {
            _ = try await roundTrip(.postgres, "x\0y\0", "words") { row throws(SQLError) in try row.text(0) }
        }
    }

    @Test("bytes come back unchanged", arguments: Engine.allCases, [0, 1, 3, 100_000])
    func blobs(engine: Engine, count: Int) async throws {
        let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try await roundTrip(engine, value, "bytes") { row throws(SQLError) in try row.blob(0) } == value)
        let lent = try await roundTrip(engine, value, "bytes") { row throws(SQLError) in
            try row.withBlob(0) { bytes throws(SQLError) in bytes.byteCount }
        }
        #expect(lent == value.count)
    }

    @Test("booleans come back unchanged", arguments: Engine.allCases, [true, false])
    func booleans(engine: Engine, value: Bool) async throws {
        #expect(try await roundTrip(engine, value, "flag") { row throws(SQLError) in try row.bool(0) } == value)
    }

    @Test("NULL is nil where it may be, and an error where it may not", arguments: Engine.allCases)
    func nulls(engine: Engine) async throws {
        try await withDatabase(engine, [Self.table]) { database in
            _ = try await database.write { transaction throws(SQLError) in
                let none: String? = nil
                try transaction.execute("INSERT INTO kinds (id, whole, words) VALUES (?1, ?2, ?3)", 1, nil, none)
            }
            let areNil = try await database.read { transaction throws(SQLError) in
                try transaction.first("SELECT whole, real, words, flag, bytes FROM kinds") { row throws(SQLError) in
                    [
                        try row.optionalInteger(0) == nil, try row.optionalDouble(1) == nil,
                        try row.isNull(2), try row.isNull(3), try row.optionalBlob(4) == nil, try row.isNull(0),
                    ]
                }
            }
            #expect(areNil == Array(repeating: true, count: 6))
        }
        await expectRefusal(
            engine, "SELECT ?1 AS missing", nil, "column 0 (missing) holds NULL where an integer was expected")
    }

    @Test("another type is refused, naming the column", arguments: Engine.allCases)
    func wrongTypes(engine: Engine) async throws {
        await expectRefusal(
            engine, "SELECT ?1 AS word", "x", "column 0 (word) holds text where an integer was expected")
        await expectRefusal(
            engine, "SELECT ?1 AS half", 1.5, "column 0 (half) holds a double where an integer was expected")
        let bytes: [UInt8] = [0]
        await expectRefusal(
            engine, "SELECT ?1 AS raw", bytes, "column 0 (raw) holds bytes where an integer was expected")
        await expectRefusal(engine, "SELECT ?1 AS fine", 1, nil)
    }

    @Test("text that is not UTF-8, a boolean of 2 and a column beyond the last are refused", arguments: Engine.allCases)
    func badContents(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let text = await refused(database, "SELECT CAST(x'ff' AS TEXT)") { row throws(SQLError) in
                _ = try row.text(0)
            }
            // PostgreSQL keeps no other text.
            #expect(text == (engine == .sqlite ? .wrongType : nil))
            #expect(await refused(database, "SELECT 2") { row throws(SQLError) in _ = try row.bool(0) } == .wrongType)
            #expect(await refused(database, "SELECT 2") { row throws(SQLError) in _ = try row.bool(1) } == .misuse)
            #expect(await refused(database, "SELECT 2") { row throws(SQLError) in _ = try row.bool(-1) } == .misuse)
        }
    }

    private func roundTrip<Value: Sendable>(
        _ engine: Engine, _ value: any SQLParameter & Sendable, _ column: String,
        read: @escaping @Sendable (borrowing Row) throws(SQLError) -> Value
    ) async throws -> Value? {
        try await withDatabase(engine, [Self.table]) { database in
            try await database.write { transaction throws(SQLError) in
                switch column {
                case "whole":
                    try transaction.execute("INSERT INTO kinds (id, whole) VALUES (1, ?1)", value)
                    return try transaction.first("SELECT whole FROM kinds WHERE whole = ?1", value, read: read)
                case "real":
                    try transaction.execute("INSERT INTO kinds (id, real) VALUES (1, ?1)", value)
                    return try transaction.first("SELECT real FROM kinds WHERE real = ?1", value, read: read)
                case "words":
                    try transaction.execute("INSERT INTO kinds (id, words) VALUES (1, ?1)", value)
                    return try transaction.first("SELECT words FROM kinds WHERE words = ?1", value, read: read)
                case "flag":
                    try transaction.execute("INSERT INTO kinds (id, flag) VALUES (1, ?1)", value)
                    return try transaction.first("SELECT flag FROM kinds WHERE flag = ?1", value, read: read)
                default:
                    try transaction.execute("INSERT INTO kinds (id, bytes) VALUES (1, ?1)", value)
                    return try transaction.first("SELECT bytes FROM kinds WHERE bytes = ?1", value, read: read)
                }
            }
        }
    }

    private func refused(
        _ database: Database, _ sql: StaticString,
        read: @escaping @Sendable (borrowing Row) throws(SQLError) -> Void
    ) async -> SQLError.Code? {
        await code { () throws(SQLError) in
            _ = try await database.read { transaction throws(SQLError) in try transaction.first(sql, read: read) }
        }
    }

    private func expectRefusal(
        _ engine: Engine, _ sql: StaticString, _ value: (any SQLParameter & Sendable)?, _ message: String?
    ) async {
        let found: String? = try? await withDatabase(engine) { database in
            do throws(SQLError) {
                _ = try await database.read { transaction throws(SQLError) in
                    try transaction.first(sql, value) { row throws(SQLError) in try row.integer(0) }
                }
                return nil
            } catch {
                return error.message
            }
        }
        #expect(found == message)
    }
}
