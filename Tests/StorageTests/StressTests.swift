import Testing

@testable import Storage

@Suite("Ten thousand transactions at once")
struct StressTests {
    @Test("all are answered, each reader finds its own acknowledged write", arguments: Engine.allCases)
    func mixed(engine: Engine) async throws {
        var settings = DatabaseSettings(readers: 3)
        settings.waitingWrites = 20_000
        settings.waitingReads = 20_000
        settings.cachedStatements = 2
        try await withDatabase(engine, settings: settings) { database in
            let found = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in 0..<5_000 {
                    group.addTask {
                        try await database.insert(id, "word \(id)")
                        return try await database.word(id) == "word \(id)"
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(found == 5_000)
            #expect(try await database.itemNumbers() == Array(0..<5_000))
            #expect(database.metrics.writes == 5_000)
            // PostgreSQL groups the flushes of its connections itself.
            if engine == .sqlite { #expect(database.metrics.commits < 2_500) }
        }
    }

    @Test("cancelled here and there, what was acknowledged is there and nothing else", arguments: Engine.allCases)
    func cancelled(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let acknowledged = await withTaskGroup(of: Int64?.self) { group in
                for id in 0..<2_000 {
                    group.addTask {
                        let task = Task { await code { () throws(SQLError) in try await database.insert(id) } }
                        if id % 3 == 0 { task.cancel() }
                        return await task.value == nil ? Int64(id) : nil
                    }
                }
                return await group.reduce(into: []) { ids, id in ids += id.map { [$0] } ?? [] }
            }
            let numbers = try await database.itemNumbers()
            #expect(numbers == acknowledged.sorted())
        }
    }
}

extension Database {
    fileprivate func word(_ id: Int) async throws(SQLError) -> String? {
        try await read { transaction throws(SQLError) in
            try transaction.first("SELECT word FROM items WHERE id = ?1", id) { row throws(SQLError) in try row.text(0)
            }
        }
    }
}
