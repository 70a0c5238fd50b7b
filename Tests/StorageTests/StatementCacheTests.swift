import TestTools
import Testing

@testable import Storage

@Suite("Statement cache")
struct StatementCacheTests {
    @Test("keeps no more than its limit, and the most recently used ones")
    func bound() async throws {
        try await TemporaryFolder.with { directory in
            let connection = try SQLiteConnection(
                path: "\(directory)/a.db", role: .writer, settings: DatabaseSettings())
            var cache = StatementCache(limit: 3)
            var prepared = 0
            func use(_ sql: StaticString) throws {
                _ = try cache.entry(for: sql) { () throws(SQLError) in
                    prepared += 1
                    return StatementCache.Entry(try connection.prepareOne(sql))
                }
            }
            let texts: [StaticString] = ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"]
            for text in texts.prefix(3) { try use(text) }
            try use(texts[0])
            #expect(prepared == 3)
            try use(texts[3])  // Takes the place of SELECT 2, unused for longest.
            #expect(cache.count == 3)
            try use(texts[0])
            try use(texts[2])
            #expect(prepared == 4)
            try use(texts[1])
            #expect(prepared == 5)
            #expect(cache.count == 3)
        }
    }

    @Test("a statement in use is lent to nobody else")
    func inUse() async throws {
        try await TemporaryFolder.with { directory in
            let connection = try SQLiteConnection(
                path: "\(directory)/a.db", role: .writer, settings: DatabaseSettings())
            var cache = StatementCache(limit: 1)
            let prepare = { () throws(SQLError) in StatementCache.Entry(try connection.prepareOne("SELECT 1")) }
            let text: StaticString = "SELECT 1"
            let first = try cache.entry(for: text, prepare: prepare)
            first.isInUse = true
            let second = try cache.entry(for: text, prepare: prepare)
            #expect(first !== second)
            first.isInUse = false
            #expect(try cache.entry(for: text, prepare: prepare) === first)
        }
    }
}
