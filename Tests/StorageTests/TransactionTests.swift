import Storage
import Testing

@Suite("Transactions")
struct TransactionTests {
    @Test("change counts the rows it changed, and nothing that came before", arguments: Engine.allCases)
    func counts(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let counts = try await database.write { transaction throws(SQLError) in
                [
                    try transaction.change("INSERT INTO items (id) VALUES (1), (2), (3)"),
                    try transaction.change("CREATE TABLE other (id BIGINT)"),
                    try transaction.change("UPDATE items SET word = 'x' || id WHERE id > ?1", 1),
                    try transaction.change("DELETE FROM items WHERE id = ?1", 9),
                ]
            }
            #expect(counts == [3, 0, 2, 0])
        }
    }

    @Test("an upsert gives back its row", arguments: Engine.allCases)
    func upsert(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let words = try await database.write { transaction throws(SQLError) in
                var words: [String?] = []
                for word in ["old", "new"] {
                    words.append(
                        try transaction.first(
                            """
                            INSERT INTO items (id, word) VALUES (?1, ?2)
                            ON CONFLICT (id) DO UPDATE SET word = excluded.word RETURNING word
                            """, 1, word
                        ) { row throws(SQLError) in try row.text(0) })
                }
                return words
            }
            #expect(words == ["old", "new"])
        }
    }

    @Test("a thrown error takes everything back", arguments: Engine.allCases)
    func rollBack(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let failed = await code { () throws(SQLError) in
                try await database.write { transaction throws(SQLError) in
                    try transaction.execute("INSERT INTO items (id) VALUES (1)")
                    throw SQLError(.misuse, "changed my mind")
                }
            }
            #expect(failed == .misuse)
            let numbers = try await database.itemNumbers()
            #expect(numbers == [])
        }
    }

    @Test("undo takes back what was done, and the body goes on", arguments: Engine.allCases)
    func undo(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let answer = try await database.write { transaction throws(SQLError) in
                try transaction.execute("INSERT INTO items (id) VALUES (1)")
                try transaction.undo()
                try transaction.execute("INSERT INTO items (id) VALUES (2)")
                return "refused"
            }
            #expect(answer == "refused")
            #expect(try await database.itemNumbers() == [2])
        }
    }

    @Test("statements that are only executed are kept in their order, however many", arguments: Engine.allCases)
    func manyExecuted(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let count = try await database.write { transaction throws(SQLError) in
                for id in 1...1_000 {
                    try transaction.execute("INSERT INTO items (id, word) VALUES (?1, 'new')", id)
                    try transaction.execute("UPDATE items SET word = 'kept ' || id WHERE word = 'new'")
                }
                return try transaction.change("UPDATE items SET word = 'seen ' || id WHERE word = 'kept ' || id")
            }
            #expect(count == 1_000)
            #expect(try await database.itemNumbers() == Array(1...1_000))
        }
    }

    @Test(
        "the failure of such a statement takes everything back, whatever comes after it",
        arguments: Engine.allCases, [false, true])
    func failedExecute(engine: Engine, isLookedAtLater: Bool) async throws {
        try await withDatabase(engine) { database in
            try await database.insert(1)
            let failed = await code { () throws(SQLError) in
                try await database.write { transaction throws(SQLError) in
                    for id in [2, 1, 3] { try transaction.execute("INSERT INTO items (id) VALUES (?1)", id) }
                    if isLookedAtLater { _ = try transaction.change("INSERT INTO items (id) VALUES (4)") }
                }
            }
            #expect(failed == .constraint(.unique))
            try await database.insert(5)
            #expect(try await database.itemNumbers() == [1, 5])
        }
    }

    @Test("a statement may run inside a walk over the rows of the same statement", arguments: Engine.allCases)
    func nested(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            for id in 1...3 { try await database.insert(id) }
            let sums = try await database.read { transaction throws(SQLError) in try Self.nestedSums(transaction, 2) }
            #expect(sums == 3 * 3 * 6)
        }
    }

    @Test("each rule of the schema that is broken has its code", arguments: Engine.allCases)
    func constraints(engine: Engine) async throws {
        let strict = Migration(
            "0002 strict",
            """
            CREATE TABLE strict_items (id BIGINT PRIMARY KEY, item BIGINT REFERENCES items (id), must TEXT NOT NULL,
                small BIGINT CHECK (small < 10));
            """)
        try await withDatabase(engine, [items, strict]) { database in
            try await database.insert(1, "one")
            let insert: StaticString = "INSERT INTO strict_items (id, item, must, small) VALUES (?1, ?2, ?3, ?4)"
            #expect(await refusal(database, insert, 1, 1, "x", 1) == nil)
            #expect(await refusal(database, insert, 1, 1, "x", 1) == .constraint(.unique))
            #expect(await refusal(database, insert, 2, 7, "x", 1) == .constraint(.foreignKey))
            #expect(await refusal(database, insert, 2, 1, nil, 1) == .constraint(.notNull))
            #expect(await refusal(database, insert, 2, 1, "x", 10) == .constraint(.check))
            #expect(await refusal(database, "INSERT INTO items (id, word) VALUES (9, 'one')") == .constraint(.unique))
        }
    }

    @Test(
        "wrong SQL is refused",
        arguments: Engine.allCases,
        [
            ("SELEC 1", 0), ("SELECT nothing FROM items", 0), ("SELECT \"text\"", 0), ("", 0), ("-- nothing", 0),
            ("SELECT 1; SELECT 2", 0), ("SELECT ?1", 0), ("SELECT 1", 1), ("SELECT ?", 1), ("SELECT :name", 1),
            ("SELECT ?2", 2), ("COMMIT", 0), ("SAVEPOINT mine", 0), ("PRAGMA synchronous = OFF", 0),
            ("ATTACH 'x.db' AS x", 0), ("BEGIN", 0),
        ] as [(StaticString, Int)])
    func misuse(engine: Engine, _ wrong: (sql: StaticString, parameters: Int)) async throws {
        try await withDatabase(engine) { database in
            #expect(await refusal(database, wrong.sql, Array(repeating: 1, count: wrong.parameters)) == .misuse)
            try await database.insert(1)
            #expect(try await database.itemNumbers() == [1])
        }
    }

    @Test("NaN is refused, because it would become NULL", arguments: Engine.allCases)
    func notANumber(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            #expect(await refusal(database, "SELECT ?1", Double.nan) == .misuse)
        }
    }

    @Test("a comment or a semicolon may follow a statement", arguments: Engine.allCases)
    func trailing(engine: Engine) async throws {
        try await withDatabase(engine) { database in #expect(await refusal(database, "SELECT 1; -- done\n ;") == nil) }
    }

    @Test("a read can't write", arguments: Engine.allCases)
    func readOnly(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let failed = await code { () throws(SQLError) in
                _ = try await database.read { transaction throws(SQLError) in
                    try transaction.execute("INSERT INTO items (id) VALUES (1)")
                }
            }
            #expect(failed == .readOnly)
            let numbers = try await database.itemNumbers()
            #expect(numbers == [])
        }
    }

    @Test("a read keeps its view while a write goes on", arguments: Engine.allCases)
    func snapshot(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let gate = Gate()
            async let counts = database.read { transaction throws(SQLError) in
                let before = try Self.count(transaction)
                gate.pass()
                return [before, try Self.count(transaction)]
            }
            await gate.untilReached()
            try await database.insert(1)
            gate.open()
            #expect(try await counts == [0, 0])
            #expect(try await database.itemCount() == 1)
        }
    }

    @Test("reads that wait together share one view, and a read that fails costs the others nothing")
    func sharedView() async throws {
        try await withDatabase(settings: DatabaseSettings(readers: 1)) { database in
            let (ahead, first) = (Gate(), Gate())
            async let held: Void = database.hold(ahead)
            await ahead.untilReached()
            async let failed = code { () throws(SQLError) in
                try await database.read { _ throws(SQLError) in throw SQLError(.misuse, "fails") }
            }
            await database.untilWaiting(reads: 1)
            async let gated: Void = database.hold(first)
            await database.untilWaiting(reads: 2)
            async let count = database.itemCount()
            await database.untilWaiting(reads: 3)
            ahead.open()
            await first.untilReached()
            try await database.insert(1)
            first.open()
            #expect(try await count == 0)
            #expect(await failed == .misuse)
            _ = try await (held, gated)
        }
    }

    @Test("a read that was made after a write finds it, whoever reads before it", arguments: Engine.allCases)
    func ownView(engine: Engine) async throws {
        try await withDatabase(engine, settings: DatabaseSettings(readers: 1)) { database in
            let gate = Gate()
            async let held: Void = database.hold(gate)
            await gate.untilReached()
            try await database.insert(1)
            async let count = database.itemCount()
            await database.untilWaiting(reads: 1)
            gate.open()
            #expect(try await count == 1)
            try await held
        }
    }

    private static func count(_ transaction: borrowing Transaction) throws(SQLError) -> Int64? {
        try transaction.first("SELECT count(*) FROM items") { row throws(SQLError) in try row.integer(0) }
    }

    private static func nestedSums(_ transaction: borrowing Transaction, _ depth: Int) throws(SQLError) -> Int64 {
        var sum: Int64 = 0
        try transaction.forEach("SELECT id FROM items") { row throws(SQLError) in
            sum += depth == 0 ? try row.integer(0) : try nestedSums(transaction, depth - 1)
        }
        return sum
    }

    private func refusal(
        _ database: Database, _ sql: StaticString, _ parameters: (any SQLParameter & Sendable)?...
    ) async -> SQLError.Code? {
        await refusal(database, sql, parameters)
    }

    private func refusal(
        _ database: Database, _ sql: StaticString, _ parameters: [(any SQLParameter & Sendable)?]
    ) async -> SQLError.Code? {
        await code { () throws(SQLError) in
            _ = try await database.write { transaction throws(SQLError) in
                switch parameters.count {
                case 0: try transaction.execute(sql)
                case 1: try transaction.execute(sql, parameters[0])
                case 2: try transaction.execute(sql, parameters[0], parameters[1])
                default:
                    try transaction.execute(sql, parameters[0], parameters[1], parameters[2], parameters[3])
                }
            }
        }
    }
}
