import Storage
import Testing

@Suite("Group commit")
struct GroupCommitTests {
    @Test("writes that wait together are made durable together")
    func grouped() async throws {
        var settings = DatabaseSettings()
        settings.groupAge = .seconds(60)  // However slow the machine, only the limit ends a group.
        try await withDatabase(settings: settings) { database in
            let before = database.metrics.commits
            await inOneGroup(database, count: 200) { id in
                await code { () throws(SQLError) in try await database.insert(id) }
            }
            let numbers = try await database.itemNumbers()
            #expect(numbers == Array(1...200))
            #expect(database.metrics.commits - before <= 3)
            #expect(database.metrics.writes == 201)
        }
    }

    @Test("a member that fails takes back all it did, and nothing of its neighbours")
    func isolated() async throws {
        try await withDatabase { database in
            let codes = await inOneGroup(database, count: 30) { id in await Self.pairCode(database, id) }
            let numbers = try await database.itemNumbers()
            expectIsolated(codes, numbers)
        }
    }

    private static func pairCode(_ database: Database, _ id: Int) async -> SQLError.Code? {
        await code { () throws(SQLError) in try await database.insertPair(id, id % 3 == 0 ? "same" : nil) }
    }

    private func expectIsolated(_ codes: [SQLError.Code?], _ numbers: [Int64]) {
        let kept = (1...30).filter { codes[$0 - 1] == nil }.map { Int64($0) }
        #expect(codes.filter { $0 == .constraint(.unique) }.count == 9)
        #expect(kept.count == 21)
        #expect(numbers == kept + kept.map { $0 + 1_000 })
    }

    @Test("a check put off until COMMIT fails its own transaction only")
    func deferred() async throws {
        let children = Migration(
            "0002 children",
            """
            CREATE TABLE children (
                id BIGINT PRIMARY KEY, item BIGINT REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED);
            """)
        try await withDatabase(.sqlite, [items, children]) { database in
            let codes = await inOneGroup(database, count: 10) { id in
                guard id == 5 else { return await code { () throws(SQLError) in try await database.insert(id) } }
                return await code { () throws(SQLError) in
                    _ = try await database.write { transaction throws(SQLError) in
                        try transaction.execute("INSERT INTO children (id, item) VALUES (1, 99)")
                    }
                }
            }
            #expect(codes == (1...10).map { $0 == 5 ? .constraint(.foreignKey) : nil })
            let numbers = try await database.itemNumbers()
            #expect(numbers == (1...10).filter { $0 != 5 })
        }
    }

    @Test("a member stopped by its deadline takes the group back, and the neighbours are run again")
    func rerun() async throws {
        try await withDatabase { database in
            let codes = await inOneGroup(database, count: 10) { id in
                guard id == 5 else { return await code { () throws(SQLError) in try await database.insert(id) } }
                return await code { () throws(SQLError) in
                    try await database.write(deadline: .now + .seconds(1)) { transaction throws(SQLError) in
                        try Self.insertForever(transaction)
                    }
                }
            }
            #expect(codes == (1...10).map { $0 == 5 ? .deadlineExceeded : nil })
            let numbers = try await database.itemNumbers()
            #expect(numbers == (1...10).filter { $0 != 5 })
        }
    }

    @Test("a body that hides the error which undid the group can't go on writing")
    func hiddenError() async throws {
        try await withDatabase { database in
            let failed = await code { () throws(SQLError) in
                try await database.write(deadline: .now + .milliseconds(200)) { transaction throws(SQLError) in
                    _ = try? Self.insertForever(transaction)
                    _ = try? transaction.execute("INSERT INTO items (id) VALUES (1)")
                }
            }
            #expect(failed == .deadlineExceeded)
            try await database.insert(2)
            let numbers = try await database.itemNumbers()
            #expect(numbers == [2])
        }
    }

    private static func insertForever(_ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute(
            """
            INSERT INTO items (id) WITH RECURSIVE n (i) AS
            (SELECT 100 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
            """)
    }

    /// Runs `work` for 1 to `count` while the writer is held, so that all wait together, and gives the codes in order.
    @discardableResult
    private func inOneGroup(
        _ database: Database, count: Int, _ work: @escaping @Sendable (Int) async -> SQLError.Code?
    ) async -> [SQLError.Code?] {
        let gate = Gate()
        let holder = Task { await code { () throws(SQLError) in try await database.holdWriter(gate) } }
        await gate.untilReached()
        return await withTaskGroup(of: (Int, SQLError.Code?).self) { group in
            for id in 1...count { group.addTask { (id, await work(id)) } }
            await database.untilWaiting(writes: count)
            gate.open()
            #expect(await holder.value == nil)
            var codes = [SQLError.Code?](repeating: nil, count: count)
            for await (id, code) in group { codes[id - 1] = code }
            return codes
        }
    }
}

extension Database {
    /// Inserts a plain item a thousand further on, and then one that may be refused for its word.
    fileprivate func insertPair(_ id: Int, _ word: String?) async throws(SQLError) {
        _ = try await write { transaction throws(SQLError) in
            try transaction.execute("INSERT INTO items (id) VALUES (?1)", id + 1_000)
            try transaction.execute("INSERT INTO items (id, word) VALUES (?1, ?2)", id, word)
        }
    }
}
