import BaseContracts
import Daemon
import Geo
import Glibc
import Requests
import Storage
import Stores
import Synchronization
import TestTools
import Testing
import Wire

@testable import NearRows

/// Whether something is written.
private final class Written: Sendable {
    let isSet = Mutex(false)
}

@Suite("P12 Rows around a point are searched in memory")
struct NearSearchTests {
    private static func query(limit: UInt32 = 20) throws -> NearQuery {
        try NearQuery(centre: BaseContracts.Coordinate(latitude: 60, longitude: 25), radiusMetres: 5_000, limit: limit)
    }

    private static func with(
        spots: Int64 = 30, _ body: (Database, SpotTable) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let place = try PostgresServer.place(of: "\(folder)/spots.db")
            var settings = DatabaseSettings()
            settings.schema = place.schema
            let database = try await Database.open(place.address, migrations: SpotTable.migrations, settings: settings)
            try await database.write { transaction throws(SQLError) in
                // Three at each place.
                for number in 0..<spots { try transaction.put(number, latitudeE7: 600_000_000 + number / 3 * 1_000) }
            }
            try await body(database, SpotTable())
            await database.close()
        }
    }

    @Test("a wrong index is found by the searches that are compared")
    func verified() async throws {
        try await Self.with { database, table in
            let search = NearSearch(table, database, verifyRate: 1)
            table.state.withLock { $0.isRight = false }
            try await search.load()
            let verifying = Task { await search.run() }
            _ = try await search.near(Self.query(), for: "ann")
            while Self.count("waymark_near_verify_wrong_total", search) == 0 { await Task.yield() }
            #expect(Self.count("waymark_near_verify_searches_total", search) == 1)
            verifying.cancel()
            await verifying.value
        }
    }

    @Test("rows are read once under an edition, as long as nothing changes")
    func editions() async throws {
        try await Self.with { database, table in
            let search = NearSearch(table, database)
            try await search.load()
            func rowsRead() async throws -> Int {
                let before = table.state.withLock { $0.rowsRead }
                #expect(try await search.near(Self.query(), for: "ann").rows.count == 20)
                return table.state.withLock { $0.rowsRead } - before
            }
            // The 19th to the 21st are equally near.
            #expect(try await rowsRead() == 21)
            #expect(try await rowsRead() == 0)
            table.state.withLock { $0.edition = "2" }
            #expect(try await rowsRead() == 21)
            try await database.write { transaction throws(SQLError) in try transaction.put(99, latitudeE7: 0) }
            #expect(try await rowsRead() == 21)
            #expect(try await rowsRead() == 0)
        }
    }

    @Test("rows that are equally near are in the order of their ids, also where the limit divides them")
    func ties() async throws {
        try await Self.with { database, table in
            let search = NearSearch(table, database)
            for limit in 1...31 as ClosedRange<UInt32> {
                let given = try await search.near(Self.query(limit: limit), for: "ann")
                let query = try Self.query(limit: limit)
                let expected = try await database.read { transaction throws(SQLError) in
                    try table.nearest(query, for: "ann", transaction)
                }
                #expect(given.rows == PackedRows(expected.hits, table.distance))
                #expect(given.isTruncated == expected.isTruncated)
                // Now from memory.
                #expect(try await search.near(query, for: "ann").rows == given.rows)
            }
        }
    }

    @Test("what is committed while an index is loaded is in the next search")
    func loading() async throws {
        try await Self.with { database, table in
            let search = NearSearch(table, database)
            table.state.withLock { state in
                state.whileLoading = {
                    let written = Written()
                    Task {
                        try await database.write { transaction throws(SQLError) in
                            try transaction.put(100, latitudeE7: 600_000_000)
                        }
                        written.isSet.withLock { $0 = true }
                    }
                    while !written.isSet.withLock({ $0 }) { sched_yield() }
                }
            }
            try await search.load()
            let found = try await search.near(Self.query(limit: 200), for: "ann")
            #expect(Self.numbers(found).contains(100))
        }
    }

    @Test("a search that finds many at one distance is left to the table")
    func crowd() async throws {
        try await Self.with(spots: 0) { database, table in
            let search = NearSearch(table, database)
            try await database.write { transaction throws(SQLError) in
                for number in 0..<1_000 { try transaction.put(Int64(number), latitudeE7: 600_000_000) }
            }
            let found = try await search.near(Self.query(), for: "ann")
            let first = (0..<1_000).map { "\($0)" }.sorted().prefix(20).compactMap { Int64($0) }
            #expect(Self.numbers(found) == first && found.isTruncated)
            #expect(table.state.withLock { $0.rowsRead } == 0)
        }
    }

    @Test("what lacks much is brought up to date by no search: meanwhile the table answers")
    func farBehind() async throws {
        try await Self.with { database, table in
            let search = NearSearch(table, database)
            try await search.load()
            let running = Task { await search.run() }
            // Until it runs, a search reads all that is lacking.
            _ = try await search.near(Self.query(), for: "ann")
            while !search.points.isFollowing { await Task.yield() }
            try await database.write { transaction throws(SQLError) in
                for number in 100..<5_100 as Range<Int64> {
                    try transaction.put(number, latitudeE7: 590_000_000 + number * 10)
                }
                try transaction.put(9_000, latitudeE7: 600_000_000)
            }
            #expect(Self.numbers(try await search.near(Self.query(limit: 200), for: "ann")).contains(9_000))
            #expect(Self.count("waymark_near_searches_total", search, from: "table") == 1)
            await search.points.followed(wholeStore, before: nil)
            #expect(Self.numbers(try await search.near(Self.query(limit: 200), for: "ann")).contains(9_000))
            #expect(Self.count("waymark_near_searches_total", search, from: "table") == 1)
            running.cancel()
            await running.value
        }
    }

    private static func numbers(_ found: NearSearch.Found) -> [Int64] {
        var numbers: [Int64] = []
        _ = PackedFields.forEach(in: found.rows.bytes[...]) { _, row in
            let text = row.dropLast(9).drop { $0 == 0 }
            if let number = Int64(String(decoding: text, as: UTF8.self)) { numbers.append(number) }
        }
        return numbers
    }

    private static func count(_ name: String, _ search: NearSearch, from kind: String? = nil) -> UInt64 {
        let samples = search.families.first { $0.name == name }?.samples
        let sample = samples?.first { sample in
            kind == nil || sample.labels.contains { $0.key == "from" && $0.value == kind }
        }
        if case .count(let count) = sample?.value { return count }
        return 0
    }
}
